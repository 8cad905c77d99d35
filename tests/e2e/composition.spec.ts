/**
 * The composition of the landing page: its length, its one figure, the hero's answers, and the road
 * to its end.
 */
import type { Locator, Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { pathIn } from '#contract/language.ts';
import { moduleRan, nothingMoves } from '../helpers/browser/page-waits.ts';
import { expect, test, WITH_MOTION } from './fixtures.ts';

const PHONE = { width: 390, height: 844 };

const boxOf = async (place: Locator) => {
  const box = await place.boundingBox();
  if (!box) throw new Error('It has no box');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
};

for (const [language, screens] of [
  ['en', 10.5],
  ['es', 11],
] as const) {
  test(`a phone shows the page (${language}) in at most ${screens} screens`, async ({ page }) => {
    await page.setViewportSize(PHONE);
    await page.goto(pathIn(language, '/'));
    await moduleRan(page);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height).toBeLessThanOrEqual(screens * PHONE.height);
  });
}

for (const width of [320, 1440]) {
  test(`the success story is one figure at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    const story = page.locator('figure[aria-labelledby=story]');
    const [green, everyone] = await Promise.all(
      [0, 1].map((i) => boxOf(story.locator('dd > svg').nth(i).locator('rect').first())),
    );
    const axis = await boxOf(story.locator('dl + p'));
    // From 0 to 79 years.
    expect(everyone).toMatchObject({ x: axis.x, width: axis.width });
    expect(green?.x).toBe(axis.x);
    expect((green?.width ?? 0) / axis.width).toBeCloseTo(0.85, 2);
    const note = await boxOf(story.locator('dd > p'));
    expect(note.y - (green?.bottom ?? 0)).toBeLessThan(24);
    const size = (place: Locator) =>
      place.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    const numeral = await size(story.locator('strong').first());
    expect(numeral).toBeGreaterThan(1.3 * (await size(story.locator('h3'))));
  });
}

test('a phone shows eight sizes of text', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto('/');
  await moduleRan(page);
  const sizes = await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set<string>();
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const { parentElement: place } = text;
      if (text.nodeValue?.trim() && place?.checkVisibility())
        found.add(getComputedStyle(place).fontSize);
    }
    return [...found].sort();
  });
  expect(sizes).toHaveLength(8);
});

for (const size of [PHONE, { width: 1366, height: 768 }]) {
  test(`the hero’s answers at ${size.width} px are one closed block of whole rows`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    await page.goto('/');
    const rows = page.locator('.hero li');
    const heights: number[] = [];
    for (const row of await rows.all()) {
      const [outer, link] = [await boxOf(row), await boxOf(row.locator('a'))];
      heights.push(outer.height);
      expect.soft(link.width).toBeGreaterThanOrEqual(outer.width);
      expect.soft(outer.height - link.height).toBeLessThanOrEqual(10);
      expect.soft(outer.bottom).toBeLessThanOrEqual(size.height);
    }
    expect(heights).toHaveLength(4);
    const rules = await rows.evaluateAll((all) =>
      all.map((row) => Number.parseFloat(getComputedStyle(row).borderBottomWidth) > 0),
    );
    expect(rules).toEqual(
      size === PHONE ? [false, false, false, true] : [false, false, true, true],
    );
    if (size === PHONE) return;
    // The note beside the button begins where the second column does.
    const [note, answer] = [await boxOf(page.locator('.join > p')), await boxOf(rows.nth(1))];
    expect(Math.abs(note.x - answer.x)).toBeLessThanOrEqual(2);
  });
}

for (const width of [320, 1440]) {
  test(`the road ends at the site’s mark at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await moduleRan(page);
    const mark = await boxOf(page.locator('footer img'));
    const drawing = await boxOf(page.locator('[data-ground=call] img'));
    const end = await boxOf(page.locator('footer .run'));
    const bend = await boxOf(page.locator('footer .bend'));
    // It comes out of the drawing, and goes on where the bend ends.
    expect(Math.abs(bend.y - drawing.bottom)).toBeLessThanOrEqual(2);
    expect(Math.abs(bend.bottom - end.y)).toBeLessThanOrEqual(4);
    expect(Math.abs(end.x + end.width / 2 - (mark.x + mark.width / 2))).toBeLessThanOrEqual(6);
    expect(end.bottom).toBeGreaterThanOrEqual(mark.y);
    expect(end.bottom).toBeLessThanOrEqual(mark.bottom);
  });
}

/**
 * The lowest point of the road's marks in the view, as a share of the view's height. The road runs
 * at the left edge on phones.
 */
async function roadReaches(page: Page): Promise<number> {
  const RAIL_PX = 36;
  const clip = { x: 0, y: 0, width: RAIL_PX, height: PHONE.height };
  const { data, width, height } = PNG.sync.read(await page.screenshot({ clip }));
  const isMarigold = (at: number) =>
    [0xf4, 0xb2, 0x3e].every((channel, i) => Math.abs((data[at + i] ?? 0) - channel) < 8);
  for (let y = height - 1; y >= 0; y--)
    for (let x = 0; x < width; x++) if (isMarigold(4 * (y * width + x))) return y / height;
  return 0;
}

/** Scrolls as a visitor does, until the heading of a section is at the top of the view. */
async function scrollTo(page: Page, id: string): Promise<void> {
  const top = () => page.locator(`#${id}`).evaluate((e) => e.getBoundingClientRect().top);
  while ((await top()) > 60) await page.mouse.wheel(0, 240);
  await nothingMoves(page);
}

test.describe('the road', () => {
  test.use({ ...WITH_MOTION, viewport: PHONE });

  test('is drawn as the visitor scrolls, and stays drawn', async ({ page }) => {
    await page.goto('/');
    await moduleRan(page);
    await scrollTo(page, 'how-it-works');
    const reaches = await roadReaches(page);
    expect(reaches).toBeGreaterThan(0.6);
    expect(reaches).toBeLessThan(0.75);
    await page.mouse.wheel(0, 250);
    await nothingMoves(page);
    expect(await roadReaches(page)).toBeGreaterThan(0.6);
    await scrollTo(page, 'impact');
    await page.locator('#how-it-works').scrollIntoViewIfNeeded();
    await nothingMoves(page);
    expect(await roadReaches(page)).toBeGreaterThan(0.9);
  });

  test('is complete at once with reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await moduleRan(page);
    await scrollTo(page, 'how-it-works');
    expect(await roadReaches(page)).toBeGreaterThan(0.9);
  });
});

test.describe('without script', () => {
  test.use({ ...WITH_MOTION, javaScriptEnabled: false, viewport: PHONE });

  test('the road is complete', async ({ page }) => {
    await page.goto('/#how-it-works');
    await expect.poll(() => roadReaches(page)).toBeGreaterThan(0.9);
  });

  test('the hero is in its place', async ({ page }) => {
    await page.goto('/');
    const parts = page.locator('[data-arrive] > :is(p, h1, g:last-child)');
    await expect(parts).toHaveCount(4);
    for (const part of await parts.all()) await expect(part).toHaveCSS('translate', 'none');
  });
});
