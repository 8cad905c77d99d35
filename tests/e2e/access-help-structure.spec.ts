import type { Page } from '@playwright/test';
import { type Language, pathIn, splitPath } from '#contract/language.ts';
import { namedControls } from '../helpers/browser/accessibility-tree.ts';
import { toolsReady } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';
import {
  EVERY_LANGUAGE,
  helpPagesIn,
  landingIn,
  MISSING_COMPLAINT,
  missingIn,
  plainPagesIn,
} from './routes.ts';

test.use({
  build: 'full',
  contextOptions: { reducedMotion: 'reduce' },
  expectedComplaints: MISSING_COMPLAINT,
});

const NEW_TAB: Record<Language, string> = {
  en: '(opens in new tab)',
  es: '(se abre en otra pestaña)',
};

for (const language of EVERY_LANGUAGE) {
  test(`T11 each control of the help pages (${language}) is called by the words that are seen on it, and no two links with one name lead to two places`, async ({
    page,
  }) => {
    for (const path of plainPagesIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      const controls = await namedControls(page);
      expect(controls.length).toBeGreaterThan(2);
      const wrong = controls.filter(
        ({ name, visible }) =>
          visible === '' || !name.toLowerCase().startsWith(visible.toLowerCase()),
      );
      expect.soft(wrong, path).toEqual([]);
      expect.soft(await page.evaluate(ambiguousLinks), path).toEqual([]);
    }
  });

  test(`T12 a link of a help page (${language}) that opens a tab says so, keeps the opener’s place and focus, and gives it no handle`, async ({
    page,
    context,
  }) => {
    for (const path of helpPagesIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      const links = await page.locator('a[target=_blank]').all();
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) {
        await expect.soft(link).toContainText(NEW_TAB[language]);
        await expect.soft(link).toHaveAttribute('rel', /\bnoopener\b/);
      }
      const button = page.locator('[data-cta=help]');
      await button.scrollIntoViewIfNeeded();
      const before = await page.evaluate(() => scrollY);
      const opened = context.waitForEvent('page');
      await button.click();
      const tab = await opened;
      await tab.waitForLoadState('domcontentloaded');
      expect(await tab.evaluate(() => window.opener)).toBeNull();
      await tab.close();
      expect(await page.evaluate(() => scrollY)).toBe(before);
      await expect(button).toBeFocused();
    }
  });

  test(`T16 structure of the help pages (${language}): landmarks, one first heading, no level left out, answers before the button`, async ({
    page,
  }) => {
    for (const path of helpPagesIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      await expect.soft(page.locator('body')).toMatchAriaSnapshot({ name: 'help-page.aria.yml' });
      expect.soft(await outlineFaults(page), path).toEqual([]);
    }
    await page.goto(missingIn(language));
    expect.soft(await outlineFaults(page), '404').toEqual([]);
  });

  test(`T17 documents (${language}): language, titles of their own, zoom left to the visitor, the same page in the other language`, async ({
    page,
  }) => {
    const titles: string[] = [];
    const paths = [landingIn(language), ...plainPagesIn(language)];
    for (const path of paths) {
      await page.goto(path);
      await toolsReady(page);
      titles.push(await page.title());
      await expect.soft(page.locator('html'), path).toHaveAttribute('lang', language);
      const viewport = await page.locator('meta[name=viewport]').getAttribute('content');
      expect.soft(viewport, path).toContain('width=device-width');
      expect.soft(viewport, path).not.toMatch(/maximum-scale|user-scalable/);
      if (helpPagesIn(language).includes(path)) await expectTranslation(page, language, path);
    }
    expect(titles.every(Boolean)).toBe(true);
    expect(new Set(titles).size).toBe(paths.length);
  });
}

/** Runs in the page. Returns the names that several links share although they lead to different addresses. */
function ambiguousLinks(): string[] {
  const targets = new Map<string, Set<string>>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const name = link.innerText.trim().toLowerCase();
    targets.set(name, (targets.get(name) ?? new Set()).add(link.href));
  }
  return [...targets].filter(([, hrefs]) => hrefs.size > 1).map(([name]) => name);
}

/** Landmarks that are missing, and headings that leave out a level. */
async function outlineFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const role of ['banner', 'main'] as const) {
    const count = await page.getByRole(role).count();
    if (count !== 1) faults.push(`${count} × ${role}`);
  }
  const levels = await page
    .getByRole('heading')
    .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName.slice(1))));
  if (levels.filter((level) => level === 1).length !== 1) faults.push(`levels ${levels}`);
  const jumps = levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1);
  return jumps.length > 0 ? [...faults, `a level left out: ${levels}`] : faults;
}

/** Checks that each other language's link of the page leads to the same page, whose own link leads back. */
async function expectTranslation(page: Page, language: Language, path: string): Promise<void> {
  for (const other of EVERY_LANGUAGE) {
    if (other === language) continue;
    const same = pathIn(other, splitPath(path).path);
    const link = page.locator(`a[hreflang=${other}]`);
    // The script writes the whole address into the link.
    await expect.soft(link, path).toHaveJSProperty('pathname', same);
  }
}
