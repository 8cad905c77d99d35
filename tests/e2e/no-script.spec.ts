/** T9: every page without script. */

import { LANGUAGES, pathIn } from '#contract/language.ts';
import { firstCaption, showsCaption, toggleFilm } from '../helpers/browser/film.ts';
import { MESSAGES, WELCOME, WORDS } from '../helpers/browser/form-words.ts';
import { unseenWords } from '../helpers/browser/painted-texts.ts';
import { COUNTED_PAGES, missingIn } from '../helpers/browser/site-pages.ts';
import { expect, newClicks, test } from './fixtures.ts';

test.use({
  build: 'form',
  javaScriptEnabled: false,
  expectedComplaints: /400 \(Bad Request\)|404 \(Not Found\)/,
});

test('T9: every word is seen', async ({ page }) => {
  for (const path of [...COUNTED_PAGES, ...LANGUAGES.map(missingIn)]) {
    await page.goto(path);
    expect.soft(await unseenWords(page), path).toEqual([]);
  }
});

test('T9: the button is counted, and the film plays', async ({ page, world }) => {
  const before = world.site.lines().length;
  await page.goto('/');
  const portal = page.context().waitForEvent('page');
  await page.click('[data-cta=hero]');
  await (await portal).waitForURL('https://portal.example/create-account?invitation_code=SMADRIVE');
  const [line] = await newClicks(world, before, 1);
  expect(line).toMatchObject({ event: 'hero_cta_click', via: 'ping', ip: null, referrer: null });
  await toggleFilm(page);
  await expect.poll(() => showsCaption(page)).toEqual([firstCaption('en')]);
});

test('T9, §5: the form is answered in words', async ({ page }) => {
  for (const language of LANGUAGES) {
    const words = WORDS[language];
    await page.goto(pathIn(language, '/'));
    const send = () => page.getByRole('button', { name: words.register, exact: true }).click();
    const typed = '"><b>nonsense</b>';
    await page.getByLabel(words.firstName).fill('A');
    await page.getByLabel(words.email).fill(typed);
    await send();
    await expect(page.getByRole('heading', { name: words.problem })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    for (const message of MESSAGES[language]) {
      await expect(page.locator('main').getByText(message).first()).toBeVisible();
    }
    expect(page.url()).not.toContain('nonsense');
    await expect(page.locator('main b')).toHaveCount(0);
    await expect(page.locator('main a').first()).toHaveAttribute('href', /#register$/);
    // Browsers keep what was typed.
    await page.goBack();
    await expect(page.getByLabel(words.email)).toHaveValue(typed);
    await page.getByLabel(words.firstName).fill('Ada');
    await page.getByLabel(words.lastName).fill('Lovelace');
    await page.getByLabel(words.email).fill('ada@example.org');
    await page.getByLabel(words.agree).check();
    await send();
    await expect(page.getByRole('heading', { name: WELCOME[language] })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', language);
  }
});

test('T9: a filled trap is in view', async ({ page }) => {
  await page.goto('/');
  const trap = page.locator('#register-message');
  const width = () => trap.evaluate((input) => input.closest('[data-trap]')?.clientWidth);
  expect(await width()).toBeLessThanOrEqual(1);
  await trap.evaluate((input: HTMLInputElement) => {
    input.value = 'a helpful extension';
  });
  expect(await width()).toBeGreaterThan(100);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  const message = 'Please empty the field “Message”: it is there to stop robots';
  await expect(page.locator('main').getByText(message).first()).toBeVisible();
});
