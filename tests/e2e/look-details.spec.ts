import type { Locator, Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { allOf } from '../helpers/browser/all-of.ts';
import { enlargeText } from '../helpers/browser/page-layout.ts';
import { pageLook } from '../helpers/browser/page-look.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';

test.use({ build: 'plain', contextOptions: { reducedMotion: 'reduce' } });

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is not visible`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

test('the film’s picture and the film fill their frame, and the button’s words have no line below them', async ({
  page,
}) => {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await wake(page);
    const button = page.getByRole('button', { name: 'Play the film' });
    await expect(button).toHaveCSS('text-decoration-line', 'none');
    const picture = page.locator('[data-island=video] img');
    expect.soft(await sparePixels(picture), `picture at ${width} px`).toBeLessThan(2);
    const { height } = await boxOf(picture);
    await button.click();
    const film = page.locator('[data-island=video] video');
    expect.soft(await sparePixels(film), `film at ${width} px`).toBeLessThan(2);
    expect.soft(Math.abs((await boxOf(film)).height - height)).toBeLessThan(1);
  }
});

test('in the dark scheme the film’s picture is dark', async ({ page }) => {
  const MIDDLE_GREY = 128;
  for (const [scheme, isLight] of [
    ['light', true],
    ['dark', false],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('/');
    await wake(page);
    const { data } = PNG.sync.read(await page.locator('[data-island=video] img').screenshot());
    const greens = Array.from({ length: data.length / 4 }, (_, at) => data[4 * at + 1] ?? 0);
    const light = greens.filter((green) => green > MIDDLE_GREY).length / greens.length;
    expect(light > 0.5, `${scheme}: ${light} of the picture is light`).toBe(isLight);
    await page.getByRole('button', { name: 'Play the film' }).click();
    const poster = page.locator('[data-island=video] video');
    await expect(poster).toHaveAttribute('poster', isLight ? /poster\.svg$/ : /poster-dark\.svg$/);
  }
});

/** How much wider the room inside the border is than a 16:9 picture of its height, in CSS pixels. */
const sparePixels = (frame: Locator): Promise<number> =>
  frame.evaluate(({ clientWidth, clientHeight }) =>
    Math.abs(clientWidth - (clientHeight * 16) / 9),
  );

test('a step’s number keeps its distance from the heading', async ({ page }) => {
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    const step = page.locator('ol > li').nth(1);
    const number = await boxOf(step.locator('span[aria-hidden]'));
    const heading = await boxOf(step.locator('h3'));
    expect.soft(heading.x - number.right, `${width} px`).toBeGreaterThanOrEqual(8);
    expect.soft(number.x, `${width} px`).toBeGreaterThanOrEqual(0);
  }
});

test('each piece of the line begins with a gap, so that no segment touches the piece above', async ({
  page,
}) => {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    expect.soft(await smallestGap(page), `${width} px`).toBeGreaterThanOrEqual(4);
  }
});

/** The dashes of the broken piece are far apart. */
const BROKEN_GAP = 110;

/** The visible part of the gap before each piece's first segment, whose round end is half a stroke longer than its dash. */
const smallestGap = (page: Page): Promise<number> =>
  page.locator('svg[preserveAspectRatio=none] path:nth-child(2)').evaluateAll(
    (segments, brokenGap) =>
      Math.min(
        ...segments.map((segment) => {
          const style = getComputedStyle(segment);
          const [dash = 0, gap = 0] = style.strokeDasharray.split(', ').map(Number.parseFloat);
          if (gap === brokenGap) return gap;
          const shift = -Number.parseFloat(style.strokeDashoffset) % (dash + gap);
          return shift <= gap ? shift - Number.parseFloat(style.strokeWidth) : -dash;
        }),
      ),
    BROKEN_GAP,
  );

test('the sources have their label on a line of its own on a phone, and next to them in wide windows', async ({
  page,
}) => {
  await page.goto('/');
  const label = page.getByText('Sources:', { exact: true });
  const sources = page.locator('figure[aria-labelledby=story] a');
  await page.setViewportSize({ width: 320, height: 900 });
  const lefts = await Promise.all(
    [label, ...(await sources.all())].map(async (it) => (await boxOf(it)).x),
  );
  expect(new Set(lefts).size).toBe(1);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect((await boxOf(label)).right).toBeLessThan((await boxOf(sources.first())).x);
  expect((await boxOf(label)).y).toBeGreaterThan((await boxOf(sources.first())).y);
});

test('the focused skip link covers the whole logo', async ({ page }) => {
  await page.goto('/');
  const mark = await boxOf(page.locator('header svg'));
  await page.keyboard.press('Tab');
  const skip = await boxOf(page.locator('[data-skip]'));
  expect(skip.x).toBeLessThanOrEqual(mark.x);
  expect(skip.right).toBeGreaterThanOrEqual(mark.right);
  expect(skip.y).toBeLessThanOrEqual(mark.y);
  expect(skip.bottom).toBeGreaterThanOrEqual(mark.bottom);
});

test('the footer’s buttons, links and opt-out follow each other without a hole, and the opt-out’s words are centred', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  await wake(page);
  const optOut = page.locator('[data-island=opt-out] button');
  const words = page.locator('[data-island=opt-out]');
  const blocks = [page.locator('footer nav ul'), page.locator('footer > ul'), words];
  const boxes = await Promise.all(blocks.map(boxOf));
  const left = boxes.filter(({ x }) => x === boxes[0]?.x);
  const gaps = left.slice(1).map(({ y }, i) => y - (left[i]?.bottom ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(48);
  await expect(optOut).toHaveCSS('text-align', 'center');
});

test('the opt-out is the lightest button of the footer', async ({ page }) => {
  await page.goto('/');
  await wake(page);
  const weightOf = (button: Locator) =>
    button.evaluate((it) => {
      const { fontWeight, fontSize } = getComputedStyle(it);
      return Number(fontWeight) * Number.parseFloat(fontSize);
    });
  const optOut = page.locator('[data-island=opt-out] button');
  const others = await page.locator('footer nav a').all();
  expect(others.length).toBeGreaterThan(3);
  const lightest = Math.min(...(await Promise.all(others.map(weightOf))));
  expect(await weightOf(optOut)).toBeLessThan(lightest * 0.75);
});

test('without a number to show, the hero’s words end directly above its drawing on a phone', async ({
  page,
}) => {
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/');
    await wake(page);
    const link = await boxOf(page.locator('main a[hreflang]'));
    const drawing = await boxOf(page.locator('svg[data-arrive]'));
    expect.soft(drawing.y - link.bottom, `${width} px`).toBeLessThanOrEqual(48);
  }
});

test('with text at 200 % the promises on privacy are in one column', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  const lefts = async () => {
    const promises = await page.locator('section[aria-labelledby=privacy] li').all();
    return new Set(await Promise.all(promises.map(async (it) => (await boxOf(it)).x)));
  };
  expect((await lefts()).size).toBe(2);
  await enlargeText(page, 2);
  expect((await lefts()).size).toBe(1);
});

test('in the dark scheme the logo has an edge that stands out', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  const contrast = await page
    .locator('header svg rect')
    .evaluate(
      (ground, { contrast, parse, backgroundOf }) =>
        contrast(parse(getComputedStyle(ground).stroke), backgroundOf(document.documentElement)),
      await pageLook(page),
    );
  expect(contrast).toBeGreaterThanOrEqual(3);
});

test('with forced colours a link on the dark band has the colour of every other link', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/');
  const [inBand, inFooter] = await allOf(page, [
    'section[aria-labelledby=privacy] p a',
    'footer a[href$="/help/"]',
  ]);
  const color = (link: Locator | undefined) => link?.evaluate((it) => getComputedStyle(it).color);
  expect(await color(inBand)).toBe(await color(inFooter));
});
