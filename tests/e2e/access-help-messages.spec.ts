/** T15 for the messages of the help pages: the opt-out's state, and what became of a copied link. */
import type { Page } from '@playwright/test';
import { type Language, pathIn } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help-paths.ts';
import { OPT_OUT } from '#words/opt-out.ts';
import { tools as english } from '../../words/en/help/tools.ts';
import { tools as spanish } from '../../words/es/help/tools.ts';
import { liveValueOf } from '../helpers/browser/accessibility-tree.ts';
import { toolsReady } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE } from './routes.ts';

test.use({ build: 'full', contextOptions: { reducedMotion: 'reduce' } });

const TOOLS: Record<Language, typeof english> = { en: english, es: spanish };
const FACTS = { posthogKey: 'phc_test', logIp: 'truncated' } as const;

/** Presses a button by the keyboard, and checks its message: announced, without moving the focus, and there an hour later. */
async function expectMessage(page: Page, button: string, message: string): Promise<void> {
  const control = page.getByRole('button', { name: button });
  const status = page.getByRole('status').filter({ hasText: message });
  await control.focus();
  const focused = await page.evaluateHandle(() => document.activeElement);
  await page.keyboard.press('Enter');
  await expect(status).toBeVisible();
  expect(await liveValueOf(page, message)).toBe('polite');
  expect(await focused.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.clock.fastForward('01:00:00');
  await expect(status).toBeVisible();
}

async function openHelp(page: Page, language: Language): Promise<void> {
  await page.clock.install();
  await page.goto(pathIn(language, HELP_PATHS.privacy));
  await toolsReady(page);
  // The regions are there before their messages, because screen readers announce changes only.
  await expect(page.getByRole('status')).toHaveCount(2);
}

for (const language of EVERY_LANGUAGE) {
  const optOut = OPT_OUT[language](FACTS);
  const tools = TOOLS[language];

  test(`T15 the opt-out of a help page (${language}) announces each state, keeps the focus, and the words stay`, async ({
    page,
  }) => {
    await openHelp(page, language);
    await expectMessage(page, optOut.turnOff, optOut.isOff);
    await expectMessage(page, optOut.turnOn, optOut.isOn);
  });

  test(`T15 where a help page (${language}) cannot store the choice, it announces this, and the words stay`, async ({
    page,
  }) => {
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      };
    });
    await openHelp(page, language);
    await expectMessage(page, optOut.turnOff, Object.values(optOut.notStored).join('. '));
  });

  test(`T15 a copied link of a help page (${language}) is announced, and so is one that was not copied`, async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openHelp(page, language);
    await expectMessage(page, tools.copy, tools.copied);
    await page.evaluate(() =>
      Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }),
    );
    await expectMessage(page, tools.copy, `${tools.notCopied} ${page.url()}`);
  });
}
