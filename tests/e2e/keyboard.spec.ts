/**
 * All that a visitor reaches without a pointer, or with an unsteady one: the walk with Tab (T1),
 * the look of the focus (T2), a press that is moved away (T13) and a pointer that rests (T14). On a
 * desktop in English and on a phone in Spanish.
 */

import type { Page } from '@playwright/test';
import { type Language, pathIn } from '#contract/language.ts';
import {
  controlKinds,
  focusChange,
  outOfVisualOrder,
  walk,
} from '../helpers/browser/keyboard-walk.ts';
import { pageLook } from '../helpers/browser/page-look.ts';
import { allAwake, moduleRan } from '../helpers/browser/page-waits.ts';
import { helpPagesIn, MISSING_COMPLAINT, missingIn } from '../helpers/browser/site-pages.ts';
import { expect, loggedClicks, test } from './fixtures.ts';

test.use({
  build: 'form',
  expectedComplaints: MISSING_COMPLAINT,
});

/** With the form. Without it: specification.spec.ts. */
const MAX_STOPS = 36;
const VIEWS = {
  en: { width: 1280, height: 720, colorScheme: 'light' },
  es: { width: 390, height: 844, colorScheme: 'dark' },
} as const;
/**
 * Every page is walked in one of the languages. Controls of one kind are alike, so some pages show
 * the kinds.
 */
const PAGES: [Language, path: string, ...parts: string[]][] = [
  ['en', '/', 'walk'],
  ['en', '/', 'focus'],
  ['es', '/es/', 'walk'],
  ['es', '/es/', 'pointer'],
  ...helpPagesIn('en').map((path, i): [Language, string, ...string[]] => {
    const part = ['pointer', 'focus'][i] ?? '';
    return i % 2 === 0 ? ['en', path, 'walk', part] : ['es', `/es${path}`, 'walk', part];
  }),
  ['en', missingIn('en'), 'walk', 'pointer'],
];

for (const [language, path, ...parts] of PAGES) {
  test(`T1, T2, T13, T14: ${parts} on ${path}`, async ({ page, world, ref }) => {
    const isLanding = path === pathIn(language, '/');
    await page.clock.install();
    const { width, height, colorScheme } = VIEWS[language];
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await page.goto(`${path}?ref=${ref}`);
    await (isLanding ? allAwake(page) : moduleRan(page));
    if (parts.includes('walk')) await expectWalk(page, isLanding);
    if (parts.includes('focus')) await expectFocusLook(page);
    if (parts.includes('pointer')) {
      await expectNoReaction(page, isLanding ? `${CONTROLS}, ${PLACES}` : CONTROLS);
    }
    // This click counts. The log must contain no other.
    if (path === missingIn('en')) await page.goto(`/?ref=${ref}`);
    await page.locator('[data-cta]').first().click();
    await loggedClicks(world, ref, 1);
  });
}

/** T2: the focus of each kind of control changes a 2 px perimeter at 3:1. */
async function expectFocusLook(page: Page): Promise<void> {
  // After a key, the browser shows every focus as it does after Tab.
  await page.keyboard.press('Tab');
  const all = page.locator(':is(a[href], button, summary, input, video):visible');
  const kinds = await all.evaluateAll(controlKinds);
  expect(new Set(kinds).size).toBeGreaterThan(3);
  for (const kind of new Set(kinds)) {
    const control = all.nth(kinds.indexOf(kind));
    await control.focus();
    const { changed, needed } = await focusChange(page);
    expect.soft(changed, `${kind}: pixels changed`).toBeGreaterThanOrEqual(needed);
  }
}

/** T1: Tab reaches each control once, there and back, in view, uncovered. */
async function expectWalk(page: Page, moves: boolean): Promise<void> {
  const count = await page.evaluate(({ controls }) => controls().length, await pageLook(page));
  // Only on the landing page something moves or opens by itself.
  const there = await walk(page, 'Tab', { isStill: !moves });
  const indexes = there.map(({ index }) => index);
  expect.soft(indexes).toEqual(Array.from({ length: count }, (_, i) => i));
  expect.soft(there.length).toBeLessThanOrEqual(MAX_STOPS);
  const back = await walk(page, 'Shift+Tab', { isStill: !moves });
  const labels = there.map(({ label }) => label);
  expect.soft(back.map(({ label }) => label).reverse()).toEqual(labels);
  for (const { label, faults } of [...there, ...back]) expect.soft(faults, label).toEqual([]);
  expect.soft(outOfVisualOrder(there)).toEqual([]);
}

/**
 * T13: a press that is moved away does nothing. T14: nor does a pointer that rests for three
 * seconds.
 */
async function expectNoReaction(page: Page, places: string): Promise<void> {
  const tried = new Set<string>();
  const all = page.locator(places);
  for (const [i, kind] of (await all.evaluateAll(controlKinds)).entries()) {
    if (tried.has(kind)) continue;
    tried.add(kind);
    const place = all.nth(i);
    await place.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const { x = 0, y = 0, width = 0, height = 0 } = (await place.boundingBox()) ?? {};
    if (!width || !height) continue;
    await page.mouse.move(1, 1);
    const before = await noticed(page);
    await page.mouse.move(x + Math.min(9, width / 2), y + Math.min(9, height / 2));
    await page.clock.fastForward(3000);
    expect.soft(await noticed(page), `rests: ${kind}`).toEqual(before);
    if (!(await place.evaluate((element, any) => element.matches(any), CONTROLS))) continue;
    // To the page's margin at the same height, because a link that is dragged to the top scrolls
    // the page.
    await page.mouse.down();
    await place.dispatchEvent('touchstart');
    await page.mouse.move(1, y + Math.min(9, height / 2), { steps: 2 });
    await page.mouse.up();
    expect.soft(await noticed(page), `moved away: ${kind}`).toEqual(before);
  }
  expect(tried.size).toBeGreaterThan(2);
}

const CONTROLS = ':is(a[href], button, summary):not([data-skip])';
const PLACES = ':is(label, input, h2, h3, figure, img, main ul > li)';

/**
 * All that a visitor could notice: the words, the address and the scroll position. Focus opens the
 * tooltip as well.
 */
const noticed = async (page: Page) =>
  page.evaluate(
    ({ texts }) => {
      const shown = texts().filter(({ element }) => !element.closest('[data-tooltip]'));
      return { words: shown.map(({ text }) => text), address: location.href, scrollY };
    },
    await pageLook(page),
  );

test('T1: the first stops lead to the button', async ({ page }) => {
  await page.goto('/');
  const hero = page.locator('[data-cta=hero]');
  // First come the skip link, the questions and the other language.
  for (let stop = 0; stop < 4; stop++) await page.keyboard.press('Tab');
  await expect(hero).toBeFocused();
  await page.goto('/es/');
  for (const key of ['Tab', 'Enter', 'Tab']) await page.keyboard.press(key);
  await expect(hero).toBeFocused();
});
