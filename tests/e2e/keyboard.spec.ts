/**
 * What a visitor reaches without a pointer, or with an unsteady one: the walk with Tab (T1), the look of the focus (T2), a
 * press that is moved away (T13) and a pointer that rests (T14). Every page in every language, on a phone or on a desktop.
 */
import type { Page } from '@playwright/test';
import { type Language, pathIn } from '#contract/language.ts';
import { ANSWERS, HELP_PATHS } from '#words/help-paths.ts';
import { OPT_OUT } from '#words/opt-out.ts';
import { allOf } from '../helpers/browser/all-of.ts';
import { controlKind } from '../helpers/browser/control-kind.ts';
import { focusChange } from '../helpers/browser/focus-change.ts';
import { focusedStop, outOfVisualOrder, pressTab, walk } from '../helpers/browser/keyboard-walk.ts';
import { pageLook } from '../helpers/browser/page-look.ts';
import { pageState } from '../helpers/browser/page-state.ts';
import { calm, toolsReady, wake } from '../helpers/browser/page-steps.ts';
import { expect, loggedClicks, test } from './fixtures.ts';
import {
  EVERY_LANGUAGE,
  everyHelpPageIn,
  landingIn,
  MISSING_COMPLAINT,
  missingIn,
} from './routes.ts';

test.use({
  build: 'form',
  // Without smooth scrolling, the view reaches each stop at once.
  contextOptions: { reducedMotion: 'reduce' },
  expectedComplaints: MISSING_COMPLAINT,
});

test.describe.configure({ mode: 'parallel' });

/** With the form. Without it: page.spec.ts. */
const MAX_STOPS = 36;
const VIEWS = {
  en: { width: 1280, height: 720, colorScheme: 'light' },
  es: { width: 390, height: 844, colorScheme: 'dark' },
} as const;

/** The tooltip of the opt-out, which the focus opens as well (toast-tooltip.spec.ts). */
const REMARKS = EVERY_LANGUAGE.map(
  (language) => OPT_OUT[language]({ logIp: 'truncated' }).effect.on,
);

async function open(page: Page, path: string, language: Language): Promise<void> {
  const { width, height, colorScheme } = VIEWS[language];
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  await page.goto(path);
  if (path.startsWith(`${landingIn(language)}?`)) await wake(page);
  else await toolsReady(page);
}

for (const language of EVERY_LANGUAGE) {
  const landing = landingIn(language);
  const pages = [landing, ...everyHelpPageIn(language), missingIn(language)];

  test(`T1 keyboard walk (${language}): on each page every control once, there and back, in view, nothing on top`, async ({
    page,
  }) => {
    for (const path of pages) {
      await open(page, `${path}?`, language);
      // Only on the landing page something moves or opens by itself.
      const isStill = path !== landing;
      const count = await page.evaluate(({ controls }) => controls().length, await pageLook(page));
      const there = await walk(page, 'Tab', { isStill });
      const all = Array.from({ length: count }, (_, i) => i);
      expect
        .soft(
          there.map(({ index }) => index),
          path,
        )
        .toEqual(all);
      expect.soft(there.length, path).toBeLessThanOrEqual(MAX_STOPS);
      const back = await walk(page, 'Shift+Tab', { isStill });
      const labels = there.map(({ label }) => label);
      expect.soft(back.map(({ label }) => label).reverse(), path).toEqual(labels);
      for (const { label, faults } of [...there, ...back]) {
        expect.soft(faults, `${path}: ${label}`).toEqual([]);
      }
      expect.soft(outOfVisualOrder(there), path).toEqual([]);
    }
  });

  test(`T1 the call to action of ${landing} is the fourth stop of a page just loaded, and Enter follows the skip link`, async ({
    page,
  }) => {
    await page.goto(landing);
    // First come the skip link, the questions and the other language.
    for (let stop = 0; stop < 4; stop++) await page.keyboard.press('Tab');
    await expect(page.locator('[data-cta=hero]')).toBeFocused();
    await page.goto(landing);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.locator('main')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.locator('[data-cta=hero]')).toBeFocused();
  });

  test(`T2 focus look (${language}): each kind of focused control changes by a 2 px perimeter at 3:1`, async ({
    page,
  }) => {
    const seen = new Set<string>();
    for (const path of pages) {
      await open(page, `${path}?`, language);
      const count = await page.evaluate(({ controls }) => controls().length, await pageLook(page));
      for (let stop = 0; stop < count; stop++) {
        await pressTab(page);
        const kind = await page.locator(':focus').evaluate(controlKind);
        if (seen.has(kind)) continue;
        seen.add(kind);
        await calm(page);
        const { label, changed, needed } = await focusChange(page);
        expect.soft(changed, `${path}, ${label}: pixels changed`).toBeGreaterThanOrEqual(needed);
      }
    }
    expect(seen.size).toBeGreaterThan(10);
  });

  test(`T13 and T14 (${language}): neither a press that is moved away nor a pointer that rests does anything`, async ({
    page,
    context,
    world,
  }) => {
    const ref = `rests-${language}`;
    await page.clock.install();
    const tried = new Set<string>();
    for (const path of pages) {
      await open(page, `${path}?ref=${ref}`, language);
      const tabs = context.pages().length;
      for (const place of await allOf(page, path === landing ? [CONTROLS, PLACES] : [CONTROLS])) {
        const kind = await place.evaluate(controlKind);
        if (tried.has(kind)) continue;
        tried.add(kind);
        await place.evaluate((element) => element.scrollIntoView({ block: 'center' }));
        const { x = 0, y = 0, width = 0, height = 0 } = (await place.boundingBox()) ?? {};
        if (!width || !height) continue;
        await page.mouse.move(1, 1);
        const before = await pageState(page);
        await page.mouse.move(x + Math.min(9, width / 2), y + Math.min(9, height / 2));
        await page.clock.fastForward(3000);
        expect.soft(await noticed(page), `${path}, rests: ${kind}`).toEqual(before);
        if (!(await place.evaluate((element, any) => element.matches(any), CONTROLS))) continue;
        // To the page's margin at the same height, because a link that is dragged to the top scrolls the page.
        await page.mouse.down();
        await page.mouse.move(1, y + Math.min(9, height / 2), { steps: 2 });
        await page.mouse.up();
        expect.soft(await noticed(page), `${path}, moved away: ${kind}`).toEqual(before);
      }
      expect(context.pages().length).toBe(tabs);
    }
    expect(tried.size).toBeGreaterThan(10);
    // The last click counts. The log must contain no other.
    await page.goto(`${landing}?ref=${ref}`);
    await page.click('[data-cta=hero]');
    await loggedClicks(world, ref, 1);
  });
}

const CONTROLS = ':is(a[href], button, summary):not([data-skip])';
const PLACES = ':is(label, input, h2, h3, figure, img, main ul > li)';

/** The page's state, without the remark that the focus opens, too. */
async function noticed(page: Page) {
  const { words, ...rest } = await pageState(page);
  return { words: words.filter((text) => !REMARKS.includes(text)), ...rest };
}

test('T1 the focus stays where it is when late script wakes the control under it', async ({
  page,
}) => {
  await page.goto('/');
  const field = page.getByLabel('First name');
  await field.focus();
  await page.locator('[data-island=register-form][data-ready]').waitFor();
  await expect(field).toBeFocused();
});

/** Presses Tab until the control that matches has the focus. Fails if it is not wholly in view, or covered. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const control = page.locator(selector).first();
  await expect(control).toBeAttached();
  const hasFocus = () => control.evaluate((element) => element === document.activeElement);
  for (let stop = 0; !(await hasFocus()); stop++) {
    if (stop > MAX_STOPS) throw new Error(`${page.url()}: Tab does not lead to ${selector}`);
    await pressTab(page);
  }
  const stop = await focusedStop(page, await pageLook(page));
  expect(stop?.faults, `${page.url()}: ${selector}`).toEqual([]);
}

async function follow(page: Page, path: string): Promise<void> {
  // The script adds the ref to the links of the site.
  await tabTo(page, `a[href$="${path}"], a[href*="${path}?"]`);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === path);
}

const pathsOf = (page: Page, links: string) =>
  page
    .locator(links)
    .evaluateAll((found) => (found as HTMLAnchorElement[]).map(({ pathname }) => pathname));

const WAYS = [
  ['en', 'at 1280 px', { viewport: { width: 1280, height: 720 } }],
  ['es', 'at 400 % zoom', { viewport: { width: 320, height: 256 } }],
  ['en', 'without script', { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }],
] as const;

for (const [language, way, options] of WAYS) {
  const answers = ANSWERS.map((name) => pathIn(language, HELP_PATHS[name]));
  const hub = pathIn(language, HELP_PATHS.hub);
  const landing = landingIn(language);

  test.describe(() => {
    test.use(options);

    test(`T1 with the keyboard ${way} (${language}) a visitor gets from the landing page to all answers, from each to its button and to the next, and back`, async ({
      page,
    }) => {
      await page.goto(landing);
      const film = pathIn(language, HELP_PATHS.film);
      await follow(page, film);
      await tabTo(page, '[data-cta=help]');
      await page.goBack();
      await follow(page, hub);
      const listed = await pathsOf(page, 'main a');
      expect(answers.filter((path) => !listed.includes(path))).toEqual([]);
      await follow(page, answers[0] ?? '');
      // After the last answer there is no next one.
      for (const next of [...answers.slice(1), null]) {
        await tabTo(page, '[data-cta=help]');
        expect(await pathsOf(page, 'footer nav a')).toEqual([
          ...(next ? [next] : []),
          hub,
          landing,
        ]);
        await page.keyboard.press('Tab');
        await expect(page.locator('footer nav a').first()).toBeFocused();
        if (next) await follow(page, next);
      }
      await follow(page, landing);
    });
  });
}

test('the button of a help page opens the portal by the keyboard, and the press is counted with the ref of the first page', async ({
  page,
  context,
  world,
}) => {
  await page.goto('/?ref=walk');
  await follow(page, HELP_PATHS.hub);
  await follow(page, HELP_PATHS.questions);
  await tabTo(page, '[data-cta=help]');
  const portal = context.waitForEvent('page');
  await page.keyboard.press('Enter');
  await (await portal).waitForURL(/invitation_code=SMADRIVE&ref=walk$/);
  const [click] = await loggedClicks(world, 'walk', 1);
  expect(click?.event).toBe('help_cta_click');
});
