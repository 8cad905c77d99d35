import type { Locator, Page } from '@playwright/test';

/** @returns the elements that the selectors match, in that order @throws if a selector matches nothing */
export async function allOf(page: Page, selectors: readonly string[]): Promise<Locator[]> {
  const found = await Promise.all(selectors.map((selector) => page.locator(selector).all()));
  const empty = selectors.filter((_, i) => found[i]?.length === 0);
  if (empty.length > 0) throw new Error(`Nothing matches ${empty.join(', ')}`);
  return found.flat();
}
