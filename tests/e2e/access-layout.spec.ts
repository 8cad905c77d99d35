import type { Page } from '@playwright/test';
import { allOf } from '../helpers/browser/all-of.ts';
import { lengthenTexts } from '../helpers/browser/lengthen-texts.ts';
import { pageLook } from '../helpers/browser/page-look.ts';
import { calm, wake } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

const MIN_TARGET_PX = 44;
const MIN_GAP_PX = 8;
const MIN_EDGE_PX = 16;
const CTA_HEIGHT_PX = 56;

for (const width of [320, 1280]) {
  test(`T3 targets at ${width} px: large, apart, and away from the edges`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    await wake(page);
    await page.getByRole('button', { name: 'counting on this device' }).click();
    await expect(page.getByRole('button', { name: 'Dismiss' })).toBeVisible();
    const targets = await targetsOf(page);
    expect(targets.length).toBeGreaterThan(15);
    for (const { label, rect } of targets) {
      expect.soft(rect.width, `${label}: width`).toBeGreaterThanOrEqual(MIN_TARGET_PX);
      expect.soft(rect.height, `${label}: height`).toBeGreaterThanOrEqual(MIN_TARGET_PX);
      expect.soft(rect.x, `${label}: left edge`).toBeGreaterThanOrEqual(MIN_EDGE_PX);
      const right = width - rect.x - rect.width;
      expect.soft(right, `${label}: right edge`).toBeGreaterThanOrEqual(MIN_EDGE_PX);
    }
    expect(tooClose(targets)).toEqual([]);
  });
}

interface Target {
  label: string;
  /** Covers the page for a moment, outside its flow. */
  floats: boolean;
  rect: { x: number; y: number; width: number; height: number };
}

/** The controls, each small box together with its label. */
async function targetsOf(page: Page): Promise<Target[]> {
  const look = await pageLook(page);
  return page.evaluate(({ controls, labelOf, isShown }) => {
    const radios = document.querySelectorAll<HTMLElement>('input[type=radio]');
    const all = new Set([...controls(), ...[...radios].filter(isShown)]);
    return [...all]
      .filter((element) => !element.matches('[data-skip], [tabindex="0"]'))
      .map((element) => {
        const isSmallBox = element.matches('[type=radio], [type=checkbox]');
        const target = (isSmallBox && element.closest('label')) || element;
        const { x, y, width, height } = target.getBoundingClientRect();
        const floats = element.closest('[data-toast]') !== null;
        return {
          label: labelOf(target),
          floats,
          rect: { x, y: y + (floats ? 0 : scrollY), width, height },
        };
      });
  }, look);
}

function tooClose(targets: Target[]): string[] {
  return targets.flatMap((one, i) =>
    targets.slice(i + 1).flatMap((other) => {
      if (one.floats !== other.floats) return [];
      const across = gap(one.rect.x, one.rect.width, other.rect.x, other.rect.width);
      const down = gap(one.rect.y, one.rect.height, other.rect.y, other.rect.height);
      const apart = Math.max(across, down);
      return apart < MIN_GAP_PX ? [`${one.label} | ${other.label}: ${apart} px`] : [];
    }),
  );
}

const gap = (start: number, size: number, otherStart: number, otherSize: number): number =>
  Math.max(otherStart - start - size, start - otherStart - otherSize);

test('T3 the calls to action are at least 56 px high, and as wide as the text on a phone', async ({
  page,
}) => {
  for (const width of [320, 480, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    for (const cta of await allOf(page, ['[data-cta=hero]', '[data-cta=closing]'])) {
      const box = await cta.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(CTA_HEIGHT_PX);
      if (width > 480) continue;
      expect(box?.width).toBeCloseTo(await cta.evaluate(roomFor), 0);
      expect(box?.width).toBeGreaterThan(width * 0.75);
    }
  }
});

/** The width that a box's parent has for it. */
function roomFor(element: Element): number {
  const parent = element.parentElement as Element;
  const { paddingLeft, paddingRight } = getComputedStyle(parent);
  return parent.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
}

for (const scale of [1, 2]) {
  test(`T4 reflow: at 320 × 256 with text at ${scale * 100} %, nothing is cut or scrolls sideways`, async ({
    page,
  }) => {
    await page.goto('/');
    await wake(page);
    await page.setViewportSize({ width: 320, height: 256 });
    await enlargeText(page, scale);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      320,
    );
    expect(await outsideTheView(page)).toEqual([]);
    expect(await clippedBoxes(page)).toEqual([]);

    expect(await fixedHeight(page)).toBeLessThanOrEqual(256 / 4);

    const theSwitch = page.getByRole('button', { name: 'counting on this device' });
    await theSwitch.focus();
    await page.keyboard.press('Enter');
    const dismiss = page.getByRole('button', { name: 'Dismiss' });
    await expect(dismiss).toBeVisible();
    await page.keyboard.press('F8');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(dismiss).toBeFocused();
    await expect(dismiss).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-toast]')).toHaveCount(0);
  });
}

/** Scales everything in rem, as the browser's own setting does. */
async function enlargeText(page: Page, scale: number): Promise<void> {
  await page.evaluate((times) => {
    const { fontSize } = getComputedStyle(document.documentElement);
    document.documentElement.style.fontSize = `${Number.parseFloat(fontSize) * times}px`;
  }, scale);
  await calm(page);
}

/** Words that are wholly or partly outside the view, where no scrolling leads. */
async function outsideTheView(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ texts }) =>
      texts()
        .filter(({ element }) => !element.closest('[role=status], [data-skip], [data-trap]'))
        .filter(({ lines }) =>
          lines.some(({ left, right }) => left < 0 || right > innerWidth + 0.5),
        )
        .map(({ text }) => text),
    await pageLook(page),
  );
}

/** Boxes that hide a part of their words. */
async function clippedBoxes(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => element.textContent && !element.closest('[role=status], [data-trap]'))
      .filter((element) => {
        const { overflowX, overflowY } = getComputedStyle(element);
        const hides = (overflow: string) => ['hidden', 'clip'].includes(overflow);
        return (
          (hides(overflowY) && element.scrollHeight > element.clientHeight + 1) ||
          (hides(overflowX) && element.scrollWidth > element.clientWidth + 1)
        );
      })
      .map((element) => `${element.tagName}.${element.className}`),
  );
}

/** Share of the height that elements which do not scroll take up. */
async function fixedHeight(page: Page): Promise<number> {
  return page.evaluate(
    ({ isShown }) => {
      const fixed = [...document.querySelectorAll<HTMLElement>('body *')].filter(
        (element) =>
          ['fixed', 'sticky'].includes(getComputedStyle(element).position) && isShown(element),
      );
      return fixed.reduce((sum, element) => sum + element.getBoundingClientRect().height, 0);
    },
    await pageLook(page),
  );
}

for (const width of [320, 1280]) {
  test(`T5 text spacing at ${width} px: nothing is cut, no words lie over others`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    await wake(page);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        * { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
        p { margin-bottom: 2em !important }
      `);
      document.adoptedStyleSheets.push(sheet);
    });
    await calm(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    expect(await outsideTheView(page)).toEqual([]);
    expect(await clippedBoxes(page)).toEqual([]);
    expect(await overlappingTexts(page)).toEqual([]);
  });
}

for (const width of [320, 1280]) {
  test(`T5 with 45 % more text at ${width} px nothing is cut, and no words lie over others`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    await wake(page);
    await lengthenTexts(page, 0.45);
    expect(await outsideTheView(page)).toEqual([]);
    expect(await clippedBoxes(page)).toEqual([]);
    expect(await overlappingTexts(page)).toEqual([]);
  });
}

async function overlappingTexts(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ texts }) => {
      const BARELY_PX = 2;
      const shown = texts().filter(
        ({ element }) => !element.closest('[role=status], [data-skip], [data-trap]'),
      );
      const overlaps = (one: DOMRect, other: DOMRect) =>
        Math.min(one.right, other.right) - Math.max(one.left, other.left) > BARELY_PX &&
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > BARELY_PX;
      return shown.flatMap((one, i) =>
        shown
          .slice(i + 1)
          .filter(({ lines }) => lines.some((line) => one.lines.some((own) => overlaps(own, line))))
          .map((other) => `"${one.text}" | "${other.text}"`),
      );
    },
    await pageLook(page),
  );
}
