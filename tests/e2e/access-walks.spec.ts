/** Walks of a visitor without a pointer: from the landing page to each answer, and on to the button. */
import type { Page } from '@playwright/test';
import { type Language, pathIn } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help-paths.ts';
import { focusedStop } from '../helpers/browser/keyboard-walk.ts';
import { pageLook } from '../helpers/browser/page-look.ts';
import { expect, loggedClicks, test } from './fixtures.ts';
import { EVERY_LANGUAGE, everyHelpPageIn, landingIn } from './routes.ts';

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

const MAX_STOPS = 25;

const hubIn = (language: Language): string => pathIn(language, HELP_PATHS.hub);

/** The landing page links it at the film. */
const filmIn = (language: Language): string => pathIn(language, HELP_PATHS.film);

/** The pages that the hub leads to. */
const answersIn = (language: Language): string[] =>
  everyHelpPageIn(language).filter((path) => ![hubIn(language), filmIn(language)].includes(path));

/** Presses Tab until the control that matches has the focus. Fails if it is not wholly in view, or covered. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const control = page.locator(selector).first();
  await expect(control).toBeAttached();
  const hasFocus = () => control.evaluate((element) => element === document.activeElement);
  for (let stop = 0; !(await hasFocus()); stop++) {
    if (stop > MAX_STOPS) throw new Error(`${page.url()}: Tab does not lead to ${selector}`);
    await page.keyboard.press('Tab');
  }
  expect(
    (await focusedStop(page, await pageLook(page)))?.faults,
    `${page.url()}: ${selector}`,
  ).toEqual([]);
}

async function follow(page: Page, path: string): Promise<void> {
  // The script adds the ref to the links of the site.
  await tabTo(page, `a[href$="${path}"], a[href*="${path}?"]`);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === path);
}

const WAYS = {
  'with the keyboard': { viewport: { width: 1280, height: 720 } },
  'with the keyboard at 400 % zoom': { viewport: { width: 320, height: 256 } },
  'with the keyboard and without script': {
    viewport: { width: 390, height: 844 },
    javaScriptEnabled: false,
  },
};

for (const [way, options] of Object.entries(WAYS)) {
  for (const language of EVERY_LANGUAGE) {
    test.describe(() => {
      test.use(options);

      test(`${way} a visitor gets from ${landingIn(language)} to each answer, and on to the button`, async ({
        page,
      }) => {
        await page.goto(landingIn(language));
        await test.step(filmIn(language), async () => {
          await follow(page, filmIn(language));
          await tabTo(page, '[data-cta=help]');
          await page.goBack();
        });
        await follow(page, hubIn(language));
        for (const answer of answersIn(language)) {
          await test.step(answer, async () => {
            await follow(page, answer);
            await tabTo(page, '[data-cta=help]');
            await page.goBack();
          });
        }
      });
    });
  }
}

for (const language of EVERY_LANGUAGE) {
  test(`after the button of an answer (${language}) a reader finds the next answer, all answers and the landing page by the keyboard`, async ({
    page,
  }) => {
    const answers = answersIn(language);
    await page.goto(answers[0] ?? '');
    // After the last answer there is no next one.
    for (const next of [...answers.slice(1), null]) {
      await tabTo(page, '[data-cta=help]');
      const ways = page.locator('footer nav a');
      const targets = await ways.evaluateAll((links) =>
        (links as HTMLAnchorElement[]).map(({ pathname }) => pathname),
      );
      expect(targets).toEqual([...(next ? [next] : []), hubIn(language), landingIn(language)]);
      await page.keyboard.press('Tab');
      await expect(ways.first()).toBeFocused();
      if (!next) break;
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname === next);
    }
    await tabTo(page, 'footer nav li:last-child a');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === landingIn(language));
  });

  test(`the button of a help page (${language}) opens the portal by the keyboard, and the press is counted with the ref of the first page`, async ({
    page,
    context,
    world,
  }) => {
    const ref = `walk-${language}`;
    await page.goto(`${landingIn(language)}?ref=${ref}`);
    await follow(page, hubIn(language));
    await follow(page, answersIn(language)[0] ?? '');
    await tabTo(page, '[data-cta=help]');
    const portal = context.waitForEvent('page');
    await page.keyboard.press('Enter');
    await (await portal).waitForURL(new RegExp(`invitation_code=SMADRIVE&ref=${ref}$`));
    const [click] = await loggedClicks(world, ref, 1);
    expect(click?.event).toBe('help_cta_click');
  });
}
