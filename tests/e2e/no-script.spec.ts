/** T9: every page without script. */

import { firstCaption, shownCaptions, toggleFilm } from '../helpers/browser/film.ts';
import { unseenWords } from '../helpers/browser/page-layout.ts';
import { MESSAGES, WELCOME, WORDS } from '../helpers/browser/registration-form.ts';
import { helpPagesIn, missingIn } from '../helpers/browser/site-pages.ts';
import { expect, newClicks, test } from './fixtures.ts';

test.use({
  build: 'form',
  javaScriptEnabled: false,
  expectedComplaints: /400 \(Bad Request\)|404 \(Not Found\)/,
});

test('T9: every word is seen', async ({ page }) => {
  const help = helpPagesIn('en').map((path, i) => (i % 2 === 0 ? path : `/es${path}`));
  for (const path of ['/', '/es/', ...help, missingIn('en')]) {
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
  await expect.poll(() => page.evaluate(shownCaptions)).toEqual([firstCaption('en')]);
});

test('T9, §5: the form is answered in words', async ({ page }) => {
  const words = WORDS.es;
  await page.goto('/es/');
  const send = () => page.getByRole('button', { name: words.register, exact: true }).click();
  const typed = '"><b>nonsense</b>';
  await page.getByLabel(words.firstName).fill('A');
  await page.getByLabel(words.email).fill(typed);
  await send();
  await expect(page.getByRole('heading', { name: words.problem })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  for (const message of MESSAGES.es)
    await expect(page.locator('main').getByText(message).first()).toBeVisible();
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
  await expect(page.getByRole('heading', { name: WELCOME.es })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
});
