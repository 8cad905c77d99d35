/**
 * T15: a toast of the registration form never covers the control that has the focus, and after a
 * registration it covers nothing that is read or pressed.
 */
import type { Locator, Page } from '@playwright/test';
import { theSwitch } from '../helpers/browser/footer-switch.ts';
import { enlargeText } from '../helpers/browser/page-layout.ts';
import { nothingMoves } from '../helpers/browser/page-waits.ts';
import {
  fakeRegistration,
  openForm,
  registerInSmallWindow,
} from '../helpers/browser/registration-form.ts';
import { expect, test, WITH_MOTION } from './fixtures.ts';

test.use({
  build: 'form',
  // Chromium's messages about the failure that the test causes.
  expectedComplaints: /50\d|Failed to load|ERR_FAILED/,
});

/**
 * The control with the focus, or else the words that describe it, if a toast that is shown is over
 * it. One look, because a toast closes by itself.
 */
const coveredFocus = (page: Page) =>
  page.locator('[data-toast][data-state=open]').evaluate((toast) => {
    const a = toast.getBoundingClientRect();
    const focused = document.activeElement ?? document.body;
    const words = document.getElementById(focused.getAttribute('aria-describedby') ?? '');
    const covered = [focused, words].find((element) => {
      const b = element?.getBoundingClientRect() ?? new DOMRect(-1, -1);
      return a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;
    });
    return covered?.outerHTML.slice(0, 100) ?? null;
  });

/** Distance in px of a toast from the bottom of the view. */
const MARGIN = 16;

/** Returns the position in px of an element's lower edge in the view. */
async function bottomOf(element: Locator): Promise<number> {
  const { y, height } = (await element.boundingBox()) ?? { y: Number.NaN, height: 0 };
  return y + height;
}

/** Keeps the toast, which waits while the window is in the background. */
const leaveWindow = (page: Page) => page.evaluate(() => void dispatchEvent(new Event('blur')));

/** The words that a toast that is shown covers, of controls and of all other texts in sight. */
const coveredWords = (page: Page) =>
  page.locator('[data-toast][data-state=open]').evaluate((toast) => {
    const a = toast.getBoundingClientRect();
    const isOver = (b: DOMRect) =>
      a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;
    const isInSight = (element: Element | null): boolean =>
      element === null ||
      // Words for screen readers only are in a box of one pixel.
      (element.getBoundingClientRect().width > 1 && isInSight(element.parentElement));
    const covered: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(text);
      const isCovered = !toast.contains(text) && [...range.getClientRects()].some(isOver);
      if (isCovered && isInSight(text.parentElement)) covered.push(text.textContent ?? '');
    }
    return covered.filter((words) => words.trim() !== '');
  });

for (const [width, height, language] of [
  [320, 568, 'es'],
  [390, 844, 'en'],
  [844, 390, 'es'],
  [768, 1024, 'en'],
  [1024, 600, 'es'],
  [1366, 768, 'en'],
] as const) {
  test(`T15: at ${width} px no toast covers what has the focus`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const { words, ...form } = await openForm(page, `at-${width}`, language);
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': `198.51.100.${width % 250}` });
    await form.fill(`width-${width}@example.org`);
    const failure = { status: 503, body: 'Too many people register at this moment. '.repeat(3) };
    await page.route(/\/api\/register/, (route) => route.fulfill(failure), { times: 1 });
    await form.button.press('Enter');
    await expect(form.toast).toContainText('503: Too many');
    await expect(form.summary).toBeFocused();
    expect.soft(await coveredFocus(page)).toBeNull();
    // It waits under the pointer.
    await form.toast.hover();
    for (const key of ['Tab', 'Shift+Tab'])
      for (let stop = 0; stop < 9; stop += 1) {
        await page.keyboard.press(key);
        expect.soft(await coveredFocus(page), `${key} ${stop}`).toBeNull();
      }
    await form.button.press('Enter');
    await expect(form.toast).toContainText(words.successful.title);
    await leaveWindow(page);
    await expect(form.success).toBeFocused();
    await expect(form.success).toBeInViewport({ ratio: 1 });
    await expect(page.locator('#next-step')).toBeInViewport({ ratio: 1 });
    expect.soft(await bottomOf(form.toast)).toBeCloseTo(height - MARGIN, 0);
    expect.soft(await coveredWords(page)).toEqual([]);
  });
}

for (const [width, height, textSize, ip] of [
  [320, 256, 1, '198.51.100.247'],
  [412, 1180, 2, '198.51.100.249'],
] as const) {
  test(`T15: at ${width} × ${height} px, text at ${textSize}00 %, the confirmation makes room`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    const form = await openForm(page, 'room', 'es');
    await enlargeText(page, textSize);
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': ip });
    await form.fill(`room-${height}@example.org`);
    await form.button.press('Enter');
    await expect(form.toast).toBeInViewport({ ratio: 1 });
    await leaveWindow(page);
    await expect(form.success).toBeFocused();
    await expect(form.success).toBeInViewport({ ratio: 0.5 });
    expect(await coveredWords(page)).toEqual([]);
    const before = await form.success.boundingBox();
    await form.toast.getByRole('button').click();
    await expect(form.toast).toHaveCount(0);
    // What is read is where it was.
    expect((await form.success.boundingBox())?.y).toBeCloseTo(before?.y ?? Number.NaN, 0);
    const padding = `${textSize * 16}px`;
    await expect(page.locator('html')).toHaveCSS('scroll-padding-top', padding);
    await expect(page.locator('html')).toHaveCSS('scroll-padding-bottom', padding);
  });
}

for (const isAway of [false, true]) {
  const name = isAway ? 'moves no visitor who has scrolled away' : 'covers nothing after a tap';

  test(`T15: a toast whose code comes late ${name}`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 400 });
    const form = await openForm(page, 'late', 'es');
    await fakeRegistration(page);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/*.js', (route) => released.then(() => route.continue()));
    await form.fill('late@example.org');
    await form.button.press('Enter');
    await expect(form.success).toBeFocused();
    if (isAway) await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    else await page.locator('[data-registered]').click({ position: { x: 5, y: 5 } });
    await nothingMoves(page);
    release();
    await expect(form.toast).toBeVisible();
    await leaveWindow(page);
    if (isAway) expect(await page.evaluate(() => scrollY)).toBe(0);
    else expect(await coveredWords(page)).toEqual([]);
  });
}

test('T15: a toast after the one of the registration is at the bottom of the view', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 400 });
  const { toast, ...form } = await openForm(page, 'next-toast', 'es');
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '198.51.100.245' });
  await form.fill('next-toast@example.org');
  await form.button.press('Enter');
  await expect(toast).toContainText(form.words.successful.title);
  await page.locator('footer').scrollIntoViewIfNeeded();
  await theSwitch(page).press('Enter');
  await expect(toast).not.toContainText(form.words.successful.title);
  expect(await bottomOf(toast)).toBeCloseTo(400 - MARGIN, 0);
});

test('T15: the toast covers nothing where the drawing does not load', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  const form = await openForm(page, 'no-drawing');
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
  await page.route('**/closing-*.svg', (route) => failed.then(() => route.abort()));
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '198.51.100.246' });
  await form.fill('no-drawing@example.org');
  await form.button.press('Enter');
  await expect(form.toast).toBeVisible();
  await leaveWindow(page);
  await nothingMoves(page);
  fail();
  await expect(page.locator('[data-ground=call] img')).toBeHidden();
  expect(await coveredWords(page)).toEqual([]);
});

test.describe('the answer comes while the page scrolls smoothly', () => {
  test.use(WITH_MOTION);
  for (const [width, height, hasToast] of [
    [390, 844, true],
    [1024, 768, false],
  ] as const) {
    const name = hasToast ? 'the toast covers nothing' : 'the room for a toast to come is in view';

    test(`T15: at ${width} px ${name}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      const form = await openForm(page, 'scrolled', 'es');
      await fakeRegistration(page);
      if (!hasToast) await page.route('**/*.js', (route) => route.abort());
      await form.fill(`scrolled-${width}@example.org`);
      // The focus starts the scroll to the button.
      await form.button.press('Enter');
      await expect(form.success).toBeFocused();
      if (hasToast) await expect(form.toast).toBeVisible();
      if (hasToast) await leaveWindow(page);
      await nothingMoves(page);
      if (hasToast) expect(await coveredWords(page)).toEqual([]);
      expect(await bottomOf(page.locator('[data-ground=call]'))).toBeCloseTo(height, 0);
    });
  }
});

test('T15: also on a phone that is turned, and in a window with more room', async ({ page }) => {
  const { card, ...form } = await registerInSmallWindow(page);
  await leaveWindow(page);
  // After it, the focus is no more in the confirmation.
  await card.click({ position: { x: 5, y: 390 } });
  for (const [width, height] of [
    [844, 390],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(form.success).toBeInViewport({ ratio: 1 });
    await expect.poll(() => coveredWords(page)).toEqual([]);
    await expect(card).not.toHaveAttribute('style', /padding-top/);
    expect(await bottomOf(form.toast)).toBeCloseTo(height - MARGIN, 0);
  }
});
