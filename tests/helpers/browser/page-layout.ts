/** Finds words that a layout cuts, hides or draws over others. An empty list means no fault. */
import type { Page } from '@playwright/test';
import { pageLook } from './page-look.ts';
import { calm } from './page-steps.ts';

/** Applies the text spacing that WCAG 1.4.12 allows a visitor to set. */
export async function widenSpacing(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
      p { margin-bottom: 2em !important }
    `);
    document.adoptedStyleSheets.push(sheet);
  });
  await calm(page);
}

/** All faults of the three kinds below, and the page's width if it scrolls sideways. */
export async function layoutFaults(page: Page): Promise<string[]> {
  const sideways = await page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    return scrollWidth > innerWidth ? [`the page is ${scrollWidth} px wide`] : [];
  });
  const outside = await outsideTheView(page);
  const clipped = await clippedBoxes(page);
  const overlapping = await overlappingTexts(page);
  return [
    ...sideways,
    ...outside.map((text) => `outside the view: "${text}"`),
    ...clipped.map((box) => `cut: ${box}`),
    ...overlapping.map((pair) => `overlapping: ${pair}`),
  ];
}

/** Scales everything in rem, as the browser's own setting does. */
export async function enlargeText(page: Page, scale: number): Promise<void> {
  await page.evaluate((times) => {
    const { fontSize } = getComputedStyle(document.documentElement);
    document.documentElement.style.fontSize = `${Number.parseFloat(fontSize) * times}px`;
  }, scale);
  await calm(page);
}

/** Makes every text of the page longer, like a translation, by repeating its beginning. `share`: 0.45 adds 45 %. */
export async function lengthenTexts(page: Page, share: number): Promise<void> {
  await page.evaluate((more) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      if (!text.trim() || node.parentElement?.matches('script, style')) continue;
      node.textContent = `${text} ${text.slice(0, Math.ceil(text.length * more))}`;
    }
  }, share);
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

/** Boxes that hide a part of their words. A drawing that waits below its place may be cut. */
async function clippedBoxes(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => element.textContent && !element.closest('[role=status], [data-trap]'))
      .filter((element) => !element.querySelector('img[data-reveal=waiting]'))
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

/** Words over other words. The boxes of close lines may overlap by an eighth of the text's size: their letters do not touch. */
async function overlappingTexts(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ texts }) => {
      const barelyPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 8;
      const shown = texts().filter(
        ({ element }) => !element.closest('[role=status], [data-skip], [data-trap]'),
      );
      const overlaps = (one: DOMRect, other: DOMRect) =>
        Math.min(one.right, other.right) - Math.max(one.left, other.left) > barelyPx &&
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > barelyPx;
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

/** Share of the height that elements which do not scroll take up. */
export async function fixedHeight(page: Page): Promise<number> {
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
