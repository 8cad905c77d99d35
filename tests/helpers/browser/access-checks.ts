/**
 * Checks of a page's accessibility (the rows of tests/e2e/access.spec.ts). Each returns one
 * line for each fault; an empty list means that the page passes.
 */
import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { LANGUAGES, type Language, pathIn, splitPath } from '#contract/language.ts';
import { contrast } from './image-diff.ts';
import { focusChange } from './keyboard-walk.ts';
import { allMoves } from './moves.ts';
import { pageLook } from './page-look.ts';
import { nothingMoves } from './page-waits.ts';

/** A row of the access table: a page, the width of the window, and the colour scheme. */
export interface Row {
  path: string;
  language: Language;
  kind: 'landing' | 'help' | 'missing';
  width: number;
  colorScheme: 'light' | 'dark';
}

/**
 * Finds controls without text, accessible names that do not begin with the visible text, equal link
 * texts with different addresses, and more than four calls to action.
 */
export async function nameFaults(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ controls }) => {
      const lower = (text: string | null) => text?.trim().toLowerCase() ?? '';
      const hrefs = new Map<string, Set<string>>();
      const faults: string[] = [];
      for (const control of controls().filter((one) => one.matches('a, button, summary'))) {
        const [words, label] = [lower(control.innerText), lower(control.ariaLabel)];
        if (!words || (label && !label.startsWith(words))) faults.push(control.outerHTML);
        const { href } = control as HTMLAnchorElement;
        if (href) hrefs.set(words, (hrefs.get(words) ?? new Set()).add(href));
      }
      for (const [words, all] of hrefs) if (all.size > 1) faults.push(`"${words}" leads to ${all}`);
      const ctas = document.querySelectorAll('[data-cta]').length;
      return ctas > 4 ? [...faults, `${ctas} calls to action`] : faults;
    },
    await pageLook(page),
  );
}

/**
 * The landmarks that each kind of page must have, sorted. There are few, because screen readers
 * announce each on entering and leaving: of the sections, only the last one is a `region`.
 */
const LANDMARKS = {
  landing: ['banner', 'contentinfo', 'main', 'navigation', 'navigation', 'region'],
  help: ['banner', 'contentinfo', 'main'],
  missing: ['banner', 'main'],
};
/**
 * What screen readers read on the landing page: the word before a step's number, and a part of the
 * only alternative text.
 */
const SPOKEN: Record<Language, { step: string; drawing: RegExp }> = {
  en: { step: 'Step', drawing: /into one road/ },
  es: { step: 'Paso', drawing: /un solo camino/ },
};

/**
 * Finds landmarks that are missing or too many, landmarks and groups without a name, steps without
 * their number, and images with alternative text. (axe checks the headings.)
 */
export async function structureFaults(page: Page, { kind, language }: Row): Promise<string[]> {
  const tree = (await page.locator('body').ariaSnapshot()).split('\n');
  const roles = tree.map((line) => /^ *- (\w+)/.exec(line)?.[1] ?? '');
  const expected = LANDMARKS[kind];
  const found = roles.filter((role) => expected.includes(role) || role === 'region').sort();
  const faults = tree.filter((line) => /^ *- (region|navigation|figure|group):?$/.test(line));
  if (found.join() !== expected.join()) faults.push(found.join());
  const { step, drawing } = SPOKEN[language];
  const steps = tree.flatMap(
    (line) => new RegExp(`heading "${step} (\\d): `).exec(line)?.[1] ?? [],
  );
  if (steps.join() !== (kind === 'landing' ? '1,2,3' : '')) faults.push(`steps ${steps}`);
  const pictures = tree.filter((line) => /^ *- img/.test(line));
  const isSpoken =
    kind === 'landing'
      ? pictures.length === 1 && drawing.test(pictures.join())
      : pictures.length === 0;
  if (!isSpoken) faults.push(...pictures, 'pictures');
  return faults;
}

/**
 * Finds a wrong `lang`, and a link to the other language that leads to another page. (axe checks
 * title and viewport.)
 */
export async function documentFaults(page: Page, { kind, language, path }: Row): Promise<string[]> {
  const lang = await page.locator('html').getAttribute('lang');
  const faults = lang === language ? [] : [`lang=${lang}`];
  const other = LANGUAGES.find((each) => each !== language) ?? language;
  const links = page.locator(`a[hreflang=${other}]`);
  const leadsTo = await links.evaluateAll((all: HTMLAnchorElement[]) => all.map((a) => a.pathname));
  const same = pathIn(other, kind === 'missing' ? '/' : splitPath(path).path);
  return leadsTo.join() === same ? faults : [...faults, `the page in ${other} is at ${leadsTo}`];
}

/** Selectors of boxes that need a border in forced colours, which remove all backgrounds. */
const EDGED = {
  landing: [
    '[data-cta]',
    'footer nav a',
    '#opt-out button',
    'form button',
    'form input:not([type=radio], [type=checkbox], [data-trap] *)',
    'main form',
    'video',
    'figure[aria-labelledby=story]',
    'dd svg',
  ],
  help: ['[data-cta]'],
  missing: [],
};

/** Finds, in forced colours, boxes without a border, and a focus ring that is not visible. */
export async function forcedColourFaults(page: Page, { kind }: Row): Promise<string[]> {
  if (kind === 'missing') return [];
  await page.emulateMedia({ forcedColors: 'active' });
  await nothingMoves(page);
  const faults: string[] = [];
  for (const selector of EDGED[kind]) {
    const widths = await page.locator(selector).evaluateAll((boxes) =>
      boxes.map((box) => {
        const { borderTopWidth, outlineWidth, strokeWidth } = getComputedStyle(box);
        const widths = [borderTopWidth, outlineWidth, box.matches('rect') ? strokeWidth : '0'];
        return Math.max(...widths.map(Number.parseFloat));
      }),
    );
    if (widths.length === 0 || Math.min(...widths) < 1) faults.push(`${selector}: ${widths} px`);
  }
  faults.push(...(await hollowDashes(page)));
  if (kind === 'landing') faults.push(...(await privacyBandFaults(page)));
  await page.locator('[data-cta]').first().focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  const { changed, needed } = await focusChange(page);
  if (changed < needed) faults.push(`the focus changes ${changed} px`);
  return faults;
}

/**
 * Finds pieces of the signal line whose dashes have the visitor's background colour. Forced colours
 * do not change the strokes of an SVG.
 */
const hollowDashes = (page: Page): Promise<string[]> =>
  page.locator('.line g > :last-child').evaluateAll((dashes) => {
    const canvas = document.createElement('i');
    document.body.append(canvas);
    canvas.style.color = 'Canvas';
    const { color } = getComputedStyle(canvas);
    canvas.remove();
    return dashes
      .filter((dash) => getComputedStyle(dash).stroke === color)
      .map((dash) => `the dashes of ${dash.closest('section, footer')?.className} are hollow`);
  });

/** Least contrast of a drawing's outlines with the page. (Its fills have less.) */
const OUTLINE_RATIO = 12;

/**
 * Finds faults of the drawing in the privacy band, in forced colours: a background of its own, or
 * outlines that cannot be seen on the visitor's background.
 */
async function privacyBandFaults(page: Page): Promise<string[]> {
  const drawing = page.locator('[data-ground=band] picture img');
  await drawing.scrollIntoViewIfNeeded();
  await drawing.evaluate((image: HTMLImageElement) => image.decode());
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.line { display: none }');
    document.adoptedStyleSheets.push(sheet);
  });
  const { width, height, data } = PNG.sync.read(await drawing.screenshot());
  const ground = await page.evaluate(
    ({ backgroundOf }) => backgroundOf(document.body),
    await pageLook(page),
  );
  const colourAt = (x: number, y: number) => [...data.subarray(4 * (y * width + x)).subarray(0, 3)];
  const [right, bottom] = [width - 9, height - 9];
  const corners = [
    colourAt(8, 8),
    colourAt(right, 8),
    colourAt(8, bottom),
    colourAt(right, bottom),
  ];
  const isFramed = corners.every((corner) => contrast(corner, ground) > 1.01);
  let best = 0;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) best = Math.max(best, contrast(colourAt(x, y), ground));
  return [
    ...(isFramed ? [`the band's drawing has a ground of its own: ${corners.join(' ')}`] : []),
    ...(best < OUTLINE_RATIO ? [`the lines of the band's drawing: ${best}`] : []),
  ];
}

/**
 * Finds, with `prefers-contrast: more`, text with a contrast below 7:1, borders below 3:1, and
 * translucent elements.
 */
export async function contrastFaults(page: Page, { colorScheme }: Row): Promise<string[]> {
  await page.emulateMedia({ contrast: 'more', colorScheme });
  await nothingMoves(page);
  return page.evaluate(
    ({ texts, isShown, parse, backgroundOf, contrast }) => {
      const faults = texts().flatMap(({ text, element }) => {
        const ratio = contrast(parse(getComputedStyle(element).color), backgroundOf(element));
        return ratio < 7 ? [`${ratio} "${text}"`] : [];
      });
      for (const element of [...document.querySelectorAll('body *')].filter(isShown)) {
        const style = getComputedStyle(element);
        const shines = [style.color, style.backgroundColor].map((color) => parse(color)[3]);
        if (style.opacity !== '1' || shines.some((alpha) => alpha > 0 && alpha < 1)) {
          faults.push(`translucent: ${element.outerHTML}`);
        }
        if (element.closest('svg') || Number.parseFloat(style.borderTopWidth) === 0) continue;
        const line = parse(style.borderTopColor);
        const grounds = [element.parentElement, element].map(backgroundOf);
        const ratio = Math.max(...grounds.map((ground) => contrast(line, ground)));
        if (line[3] > 0 && ratio < 3) faults.push(`${ratio}: ${element.outerHTML}`);
      }
      return faults;
    },
    await pageLook(page),
  );
}

const NEW_TAB: Record<Language, string> = {
  en: '(opens in new tab)',
  es: '(se abre en otra pestaña)',
};

/**
 * Finds links to a new tab that do not say so, or without `noopener`. Opens the first of them, and
 * finds whether the page then scrolls or loses the focus.
 */
export async function newTabFaults(page: Page, row: Row): Promise<string[]> {
  const faults: string[] = [];
  const links = await page.locator('a[target=_blank]').all();
  if (links.length === 0 && row.kind !== 'missing') faults.push('no link to a new tab');
  for (const link of links) {
    const words = (await link.textContent()) ?? '';
    if (!words.includes(NEW_TAB[row.language])) faults.push(`${words}: does not say so`);
    if (!/\bnoopener\b/.test((await link.getAttribute('rel')) ?? '')) faults.push(`${words}: rel`);
  }
  for (const link of links.slice(0, 1)) {
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    const opened = page.context().waitForEvent('page');
    await link.click();
    const tab = await opened;
    await tab.waitForLoadState('domcontentloaded');
    if (await tab.evaluate(() => window.opener)) faults.push('the tab has the opener');
    await tab.close();
    if ((await page.evaluate(() => scrollY)) !== before) faults.push('the opener has scrolled');
    const hasFocus = await link.evaluate((element) => element === document.activeElement);
    if (!hasFocus) faults.push('the opener has lost the focus');
  }
  return faults;
}

/**
 * Lists the motion of a page, which must be none under reduced motion: what has moved since
 * `watchMoves`, elements that wait to move in, and smooth scrolling.
 */
export async function motions(page: Page): Promise<unknown[]> {
  const waiting = await page.evaluate(() => {
    const looks = [...document.querySelectorAll('[data-reveal], div[data-arrive] > *')]
      .map((element) => getComputedStyle(element))
      .map(({ opacity, transform, translate }) => `${opacity} ${transform} ${translate}`);
    const { scrollBehavior } = getComputedStyle(document.documentElement);
    return [
      ...looks.filter((look) => look !== '1 none none'),
      ...(scrollBehavior === 'auto' ? [] : [scrollBehavior]),
    ];
  });
  return [...(await allMoves(page)), ...waiting];
}
