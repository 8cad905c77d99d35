import type { Page } from '@playwright/test';
import { pageLook } from './page-look.ts';

/** Everything that a visitor could notice: the words, the address and the scroll position. */
export async function pageState(page: Page) {
  return page.evaluate(
    ({ texts }) => ({ words: texts().map(({ text }) => text), address: location.href, scrollY }),
    await pageLook(page),
  );
}
