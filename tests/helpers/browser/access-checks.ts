/** Checks of the access table. Each returns its faults, so an empty list is a pass. */
import type { Locator, Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { LANGUAGES, type Language, pathIn, splitPath } from '#contract/language.ts';
import { edgeShare } from './image-diff.ts';
import { focusChange } from './keyboard-walk.ts';
import { pageLook } from './page-look.ts';
import { calm } from './page-steps.ts';

/** A page in one view. */
export interface Row {
  path: string;
  language: Language;
  kind: 'landing' | 'help' | 'missing';
  width: number;
  colorScheme: 'light' | 'dark';
  /** Whether this row also has the checks whose result depends neither on the width nor on the scheme. */
  isThorough: boolean;
  /** Whether this row also has every change of the page. */
  isChanged: boolean;
}

/** Runs in the page. Returns the names that several links share although they lead to different addresses. */
export function ambiguousLinks(): string[] {
  const hrefs = new Map<string, Set<string>>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const name = link.innerText.trim().toLowerCase();
    hrefs.set(name, (hrefs.get(name) ?? new Set()).add(link.href));
  }
  return [...hrefs].filter(([, all]) => all.size > 1).map(([name]) => name);
}

/** Landmarks that are missing, and parts without a name. axe has the order of the headings. */
export async function structureFaults(page: Page, { kind }: Row): Promise<string[]> {
  const expected = {
    banner: 1,
    main: 1,
    contentinfo: kind === 'missing' ? 0 : 1,
    ...(kind === 'landing' && { navigation: 2 }),
  };
  const faults: string[] = [];
  for (const [role, wanted] of Object.entries(expected)) {
    const count = await page.getByRole(role as 'main').count();
    if (count !== wanted) faults.push(`${count} × ${role}`);
  }
  const tree = (await page.locator('body').ariaSnapshot()).split('\n');
  const unnamed = tree.filter((line) => /^ *- (region|navigation|figure|group):?$/.test(line));
  // The call to action of a help page comes after the answers.
  const after = page.locator('main:has([data-cta=help]) [data-cta] ~ :is(p, h2, section)');
  return [...faults, ...unnamed, ...(await after.allInnerTexts())];
}

/** A wrong language, a fixed size, and a link to the other language that leads elsewhere. axe has the title. */
export async function documentFaults(page: Page, row: Row): Promise<string[]> {
  const { lang, viewport } = await page.evaluate(() => ({
    lang: document.documentElement.lang,
    viewport: document.querySelector<HTMLMetaElement>('meta[name=viewport]')?.content ?? '',
  }));
  const faults = lang === row.language ? [] : [`lang=${lang}`];
  const isFixed = /maximum-scale|user-scalable/.test(viewport);
  if (isFixed || !viewport.includes('width=device-width')) faults.push(viewport);
  if (row.kind === 'missing') return faults;
  for (const other of LANGUAGES.filter((language) => language !== row.language)) {
    const leadsTo = await page
      .locator(`a[hreflang=${other}]`)
      .evaluateAll((links) => (links as HTMLAnchorElement[]).map(({ pathname }) => pathname));
    const same = pathIn(other, splitPath(row.path).path);
    if (leadsTo.join() !== same) faults.push(`the page in ${other} is at ${leadsTo}`);
  }
  return faults;
}

/** Boxes that need an edge of their own where the visitor's colours replace those of the page. */
const EDGED = {
  landing: [
    ...['[data-cta]', 'footer nav a', '[data-island=opt-out] button', 'form button'],
    'form input:not([type=radio], [type=checkbox], [data-trap] *)',
    ...['main form', 'video', 'figure[aria-labelledby=story]'],
    ...['dd:first-of-type svg', 'dd:last-of-type svg'],
  ],
  help: ['[data-cta]'],
  missing: [],
};

/** Boxes without an edge, bars without a fill, and a focus that does not show, in forced colours. */
export async function forcedColours(page: Page, { kind, isThorough }: Row): Promise<string[]> {
  if (kind === 'missing' || !isThorough) return [];
  await page.emulateMedia({ forcedColors: 'active' });
  // The whole page is in view, because Chromium does not paint the film elsewhere.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: 1280, height });
  await calm(page);
  const faults: string[] = [];
  const picture = PNG.sync.read(await page.screenshot());
  for (const selector of EDGED[kind]) {
    const boxes = await page.locator(selector).evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x: x + scrollX, y: y + scrollY, width, height };
      }),
    );
    if (boxes.length === 0) faults.push(`nothing matches ${selector}`);
    const edges = boxes.map((box) => edgeShare(picture, box));
    if (edges.some((edge) => edge < 0.8)) faults.push(`${edges} of an edge: ${selector}`);
  }
  for (const bar of kind === 'landing' ? await page.locator('dd svg').all() : []) {
    const fill = await fillContrast(page, bar);
    if (fill < 3) faults.push(`the bar’s fill: ${fill}`);
  }
  const cta = page.locator('[data-cta]').first();
  await cta.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  const { changed, needed } = await focusChange(page);
  if (changed < needed) faults.push(`the focus changes ${changed} px`);
  const shadow = await cta.evaluate((link) => getComputedStyle(link).boxShadow);
  if (shadow !== 'none') faults.push(shadow);
  await cta.blur();
  return faults;
}

/** The contrast of a bar's filled part with the ground around the bar. */
const fillContrast = async (page: Page, bar: Locator): Promise<number> =>
  bar
    .locator('rect')
    .evaluate(
      (rect, { parse, contrast, backgroundOf }) =>
        contrast(parse(getComputedStyle(rect).fill), backgroundOf(rect)),
      await pageLook(page),
    );

const NEW_TAB: Record<Language, string> = {
  en: '(opens in new tab)',
  es: '(se abre en otra pestaña)',
};

/** Links to a new tab that do not say so, and those that move the page when they are pressed. */
export async function tabFaults(page: Page, row: Row): Promise<string[]> {
  const faults: string[] = [];
  const links = await page.locator('a[target=_blank]').all();
  if (links.length === 0 && row.kind !== 'missing') faults.push('no link to a new tab');
  for (const link of links) {
    const words = (await link.textContent()) ?? '';
    if (!words.includes(NEW_TAB[row.language])) faults.push(`${words}: does not say so`);
    if (!/\bnoopener\b/.test((await link.getAttribute('rel')) ?? '')) faults.push(`${words}: rel`);
  }
  for (const link of row.isThorough ? links : []) {
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    const opened = page.context().waitForEvent('page');
    await link.click();
    const tab = await opened;
    await tab.waitForLoadState('domcontentloaded');
    if (await tab.evaluate(() => window.opener)) faults.push('the tab has the opener');
    await tab.close();
    if ((await page.evaluate(() => scrollY)) !== before) faults.push('the opener has scrolled');
    const hasFocus = await link.evaluate((it) => it === document.activeElement);
    if (!hasFocus) faults.push('the opener has lost the focus');
  }
  return faults;
}

/** Runs before the page. Collects what moves. */
export function watchMotions(): void {
  const seen = new Set<string>();
  Object.assign(window, { motions: seen });
  for (const type of ['transitionrun', 'animationstart']) {
    addEventListener(type, ({ target }) => seen.add(`${type}: ${(target as Element).tagName}`));
  }
  const watch = () => {
    for (const animation of document.getAnimations()) {
      if (animation.playState === 'running') seen.add(animation.constructor.name);
    }
    requestAnimationFrame(watch);
  };
  watch();
}

/** Lists what has moved since the visit began and what waits to move in, and whether scrolling is smooth. */
export const motions = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const waiting = [...document.querySelectorAll('[data-reveal]')]
      .map((element) => getComputedStyle(element))
      .map(({ opacity, transform, translate }) => `${opacity} ${transform} ${translate}`)
      .filter((look) => look !== '1 none none');
    const { scrollBehavior } = getComputedStyle(document.documentElement);
    return [
      ...(window as unknown as { motions: Set<string> }).motions,
      ...waiting,
      ...(scrollBehavior === 'auto' ? [] : [scrollBehavior]),
    ];
  });
