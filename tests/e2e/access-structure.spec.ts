import { namedControls } from '../helpers/browser/accessibility-tree.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE, landingIn } from './routes.ts';

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

const MAX_SAME_CTA = 4;
const NEW_TAB = { en: '(opens in new tab)', es: '(se abre en otra pestaña)' };

for (const path of EVERY_LANGUAGE.map(landingIn)) {
  test(`T11 each control of ${path} is called by the words that are seen on it, and voice control can tell them apart`, async ({
    page,
  }) => {
    await page.goto(path);
    await wake(page);
    const controls = await namedControls(page);
    expect(controls.length).toBeGreaterThan(15);
    for (const { role, name, visible } of controls) {
      expect.soft(visible, `${role} "${name}" has no visible words`).not.toBe('');
      expect.soft(name.toLowerCase(), role).toMatch(startsWith(visible.toLowerCase()));
    }
    expect(await page.locator('[data-cta]').count()).toBeLessThanOrEqual(MAX_SAME_CTA);
  });
}

const startsWith = (words: string) => new RegExp(`^${RegExp.escape(words)}`);

for (const language of EVERY_LANGUAGE) {
  test(`T12 a link of ${landingIn(language)} that opens a tab says so, keeps the opener’s place and focus, and gives it no handle`, async ({
    page,
    context,
  }) => {
    await page.goto(landingIn(language));
    await wake(page);
    const links = await page.locator('a[target=_blank]').all();
    // The calls to action, the legal links, and the form's link to the terms.
    expect(links.length).toBe(5);
    for (const link of links) {
      await expect(link).toContainText(NEW_TAB[language]);
      await expect(link).toHaveAttribute('rel', /\bnoopener\b/);
      await link.scrollIntoViewIfNeeded();
      const before = await page.evaluate(() => scrollY);
      const opened = context.waitForEvent('page');
      await link.click();
      const tab = await opened;
      await tab.waitForLoadState();
      expect(await tab.evaluate(() => window.opener)).toBeNull();
      await tab.close();
      expect(await page.evaluate(() => scrollY)).toBe(before);
      await expect(link).toBeFocused();
    }
  });
}

test('T16 structure: landmarks, one first heading, no level left out, lists and names', async ({
  page,
}) => {
  await page.goto('/');
  await wake(page);
  await expect(page.locator('body')).toMatchAriaSnapshot({ name: 'page.aria.yml' });
  for (const role of ['banner', 'main', 'contentinfo', 'navigation'] as const) {
    await expect(page.getByRole(role)).toHaveCount(1);
  }
  const levels = await page
    .getByRole('heading')
    .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName.slice(1))));
  expect(levels.filter((level) => level === 1)).toEqual([1]);
  const jumps = levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1);
  expect(jumps).toEqual([]);
});

/** Roles that a translation does not change. */
const STABLE =
  /^ *- (banner|main|contentinfo|navigation|region|heading|figure|button|textbox|radio|checkbox)\b/;

test('T16 the Spanish page has the landmarks, headings and controls of the English one', async ({
  page,
}) => {
  const skeletons: string[][] = [];
  for (const path of EVERY_LANGUAGE.map(landingIn)) {
    await page.goto(path);
    await wake(page);
    const lines = (await page.locator('body').ariaSnapshot()).split('\n');
    const stable = lines.filter((line) => STABLE.test(line));
    expect(stable.length).toBeGreaterThan(30);
    skeletons.push(stable.map((line) => line.replace(/ (".*"|\/.*\/)/, '')));
  }
  const [english, ...others] = skeletons;
  for (const other of others) expect(other).toEqual(english);
});

test.describe('T17 document', () => {
  // Chromium reports the 404 document's own status as an error of the page.
  test.use({ expectedComplaints: /404 \(Not Found\)/ });

  test('language, titles of their own, zoom left to the visitor', async ({ page }) => {
    const titles = new Set<string>();
    for (const path of ['/', '/no-such-page']) {
      await page.goto(path);
      titles.add(await page.title());
      await expect(page.locator('html')).toHaveAttribute('lang', 'en');
      const viewport = await page.locator('meta[name=viewport]').getAttribute('content');
      expect(viewport).toContain('width=device-width');
      expect(viewport).not.toMatch(/maximum-scale|user-scalable/);
    }
    expect(titles.size).toBe(2);
    expect([...titles].every(Boolean)).toBe(true);
  });
});

for (const [name, viewport] of Object.entries({
  portrait: { width: 390, height: 844 },
  landscape: { width: 844, height: 390 },
})) {
  test(`T17 ${name}: the page turns with the phone`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto('/');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(heading?.width).toBeGreaterThan(heading?.height ?? 0);
    expect(await page.evaluate(() => getComputedStyle(document.body).transform)).toBe('none');
  });
}
