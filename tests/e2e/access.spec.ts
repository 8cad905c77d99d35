/**
 * The access rules that a loaded page can show, T0 to T19 of docs/specification.md: pages × views × checks, with one load of
 * each page and view. keyboard.spec.ts, no-script.spec.ts and print.spec.ts have the others.
 */
import type { Locator, Page } from '@playwright/test';
import { type Language, pathIn, splitPath } from '#contract/language.ts';
import { readSiteConfig } from '#site.config.ts';
import { HELP_PATHS } from '#words/help-paths.ts';
import { OPT_OUT } from '#words/opt-out.ts';
import { form as formEn } from '../../words/en/form.ts';
import { tools } from '../../words/en/help/tools.ts';
import { islands as islandsEn } from '../../words/en/islands.ts';
import { form as formEs } from '../../words/es/form.ts';
import { islands as islandsEs } from '../../words/es/islands.ts';
import { liveRegions, liveValueOf, namedControls } from '../helpers/browser/accessibility-tree.ts';
import { allOf } from '../helpers/browser/all-of.ts';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { edgeOf } from '../helpers/browser/box-edge.ts';
import { visiblyChanged } from '../helpers/browser/image-diff.ts';
import { lengthenTexts } from '../helpers/browser/lengthen-texts.ts';
import {
  enlargeText,
  fixedHeight,
  layoutFaults,
  widenSpacing,
} from '../helpers/browser/page-layout.ts';
import { pageLook } from '../helpers/browser/page-look.ts';
import {
  calm,
  scrollThrough,
  started,
  toggleFilm,
  toolsReady,
  wake,
} from '../helpers/browser/page-steps.ts';
import { readingFaults } from '../helpers/browser/reading-faults.ts';
import { ctaFaults, targetFaults, targetsOf } from '../helpers/browser/targets.ts';
import { weakColours } from '../helpers/browser/weak-colours.ts';
import { BUILDS } from './build-sites.ts';
import { expect, loggedClicks, test } from './fixtures.ts';
import {
  EVERY_LANGUAGE,
  everyHelpPageIn,
  landingIn,
  MISSING_COMPLAINT,
  missingIn,
} from './routes.ts';

test.use({
  build: 'form',
  contextOptions: { reducedMotion: 'reduce' },
  expectedComplaints: MISSING_COMPLAINT,
});

// One file, but as many pages at a time as there are workers.
test.describe.configure({ mode: 'parallel' });

interface View {
  width: number;
  colorScheme: 'light' | 'dark';
}

interface Row extends View {
  path: string;
  language: Language;
}

/** Each pair of a width, a colour scheme and a language is in one of the rows. */
const LANDING_VIEWS: Record<Language, View[]> = {
  en: [
    { width: 320, colorScheme: 'light' },
    { width: 1280, colorScheme: 'dark' },
  ],
  es: [
    { width: 320, colorScheme: 'dark' },
    { width: 768, colorScheme: 'light' },
    { width: 1280, colorScheme: 'light' },
  ],
};
const PLAIN_VIEWS: View[] = [...LANDING_VIEWS.en, ...LANDING_VIEWS.es.filter((_, i) => i !== 1)];

const ROWS: Row[] = EVERY_LANGUAGE.flatMap((language, group) => [
  ...LANDING_VIEWS[language].map((view) => ({ path: landingIn(language), language, ...view })),
  // One view of each page. The same page in the other language has another width and another scheme.
  ...[...everyHelpPageIn(language), missingIn(language)].map((path, i) => ({
    path,
    language,
    ...(PLAIN_VIEWS[(i + group) % PLAIN_VIEWS.length] as View),
  })),
]);

const kindOf = ({ path, language }: Row): 'landing' | 'help' | 'missing' => {
  if (path === landingIn(language)) return 'landing';
  return path === missingIn(language) ? 'missing' : 'help';
};

type Check = (page: Page, row: Row) => Promise<unknown[]>;

/** These leave the page as it is. Each returns its faults, so an empty list is a pass. */
const CHECKS: Record<string, Check> = {
  'T0 axe': axeComplaints,
  'T3 targets': targets,
  'T4 the layout as it is': layoutFaults,
  'T11 names': names,
  'T16 structure': structure,
  'T17 document': documentFaults,
  'T19 reading level': (page, { path, language }) => readingFaults(page, path, language),
};

/** Each changes the page, which is then put back, except by the last one. */
const CHANGES: Record<string, Check> = {
  'T4 at 320 × 256, with text at 100 and 200 %': async (page) => {
    await page.setViewportSize({ width: 320, height: 256 });
    await calm(page);
    const faults = await layoutFaults(page);
    if ((await fixedHeight(page)) > 256 / 4) faults.push('fixed parts take too much');
    await enlargeText(page, 2);
    return [...faults, ...(await layoutFaults(page))];
  },
  'T5 text spacing': async (page) => {
    await widenSpacing(page);
    return layoutFaults(page);
  },
  'T7 forced colours': forcedColours,
  'T8 more contrast': moreContrast,
  'T17 turned on its side': async (page) => {
    await page.setViewportSize({ width: 844, height: 390 });
    await calm(page);
    const turned = await page.evaluate(() => getComputedStyle(document.body).transform);
    return [...(await layoutFaults(page)), ...(turned === 'none' ? [] : [turned])];
  },
  'T12 new tabs': newTabs,
  'T6 reduced motion': motions,
  'T5 longer words': async (page) => {
    await lengthenTexts(page, 0.4);
    const faults: string[] = [];
    for (const width of [280, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await calm(page);
      faults.push(...(await layoutFaults(page)));
    }
    return faults;
  },
};

for (const row of ROWS) {
  const { path, width, colorScheme } = row;

  test(`access of ${path} at ${width} px, ${colorScheme}`, async ({ page, context, world }) => {
    const asIs = async () => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, contrast: null, forcedColors: null });
      await page.evaluate(() => {
        document.documentElement.removeAttribute('style');
        document.adoptedStyleSheets = [];
      });
      await calm(page);
    };
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(world.url)) foreign.push(request.url());
    });
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.addInitScript(watchMotions);
    await page.goto(path);
    await started(page);
    await toolsReady(page);

    const stored = await page.evaluate(() => [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
    ]);
    const untouched = [...foreign, ...stored, ...(await context.cookies())];
    expect.soft(untouched, 'T18 before the visitor acts').toEqual([]);
    if (kindOf(row) === 'landing') {
      expect.soft(await axeComplaints(page), 'T0 as it arrives').toEqual([]);
      await wake(page);
    }
    await scrollThrough(page);
    for (const [rule, faultsOf] of Object.entries(CHECKS)) {
      expect.soft(await faultsOf(page, row), rule).toEqual([]);
    }
    for (const [rule, faultsOf] of Object.entries(CHANGES)) {
      expect.soft(await faultsOf(page, row), rule).toEqual([]);
      await asIs();
    }
  });
}

async function targets(page: Page, row: Row): Promise<string[]> {
  const faults = targetFaults(await targetsOf(page), row.width);
  for (const cta of await page.locator('[data-cta]').all()) {
    faults.push(...(await ctaFaults(cta, row.width)));
  }
  if (kindOf(row) !== 'help') return faults;
  // Links in sentences have no minimal size, except those to write or call.
  for (const link of await page.locator('main a:is([href^="mailto:"], [href^="tel:"])').all()) {
    const height = await pressableHeight(link);
    if (height < 44) faults.push(`${await link.textContent()}: ${height} px high`);
  }
  return faults;
}

/** How many CSS pixels of a link's middle, from top to bottom, a press would hit. */
const pressableHeight = (link: Locator): Promise<number> =>
  link.evaluate((it) => {
    it.scrollIntoView({ block: 'center' });
    const [first] = it.getClientRects();
    if (!first) return 0;
    const { x, y, width, height } = first;
    const rows = Array.from({ length: Math.floor(height) }, (_, row) => y + row + 0.5);
    return rows.filter((row) => it.contains(document.elementFromPoint(x + width / 2, row))).length;
  });

async function names(page: Page): Promise<string[]> {
  const controls = await namedControls(page);
  const wrong = controls
    .filter(({ name, visible }) => !visible || !lower(name).startsWith(lower(visible)))
    .map(({ name, visible }) => `"${visible}" is called "${name}"`);
  const [none] = controls.length < 3 ? ['too few controls'] : [];
  const ctas = await page.locator('[data-cta]').count();
  return [
    ...wrong,
    ...(none ? [none] : []),
    ...(ctas > 4 ? [`${ctas} calls to action`] : []),
    ...(await page.evaluate(ambiguousLinks)),
  ];
}

const lower = (words: string) => words.toLowerCase();

/** Runs in the page. Returns the names that several links share although they lead to different addresses. */
function ambiguousLinks(): string[] {
  const hrefs = new Map<string, Set<string>>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const name = link.innerText.trim().toLowerCase();
    hrefs.set(name, (hrefs.get(name) ?? new Set()).add(link.href));
  }
  return [...hrefs].filter(([, all]) => all.size > 1).map(([name]) => name);
}

/** Landmarks that are missing, headings that leave out a level, and parts without a name. */
async function structure(page: Page, row: Row): Promise<string[]> {
  const faults: string[] = [];
  const landmarks = ['banner', 'main', ...(kindOf(row) === 'missing' ? [] : ['contentinfo'])];
  for (const role of landmarks as 'main'[]) {
    const count = await page.getByRole(role).count();
    if (count !== 1) faults.push(`${count} × ${role}`);
  }
  const navigations = await page.getByRole('navigation').count();
  if (kindOf(row) === 'landing' && navigations !== 2) faults.push(`${navigations} × navigation`);
  const levels = await page
    .getByRole('heading')
    .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName.slice(1))));
  if (levels.filter((level) => level === 1).length !== 1) faults.push(`levels ${levels}`);
  if (levels.some((level, i) => level > (levels[i - 1] ?? 0) + 1)) {
    faults.push(`a level left out: ${levels}`);
  }
  const tree = (await page.locator('body').ariaSnapshot()).split('\n');
  const unnamed = tree.filter((line) => /^ *- (region|navigation|figure|group):?$/.test(line));
  // The call to action of a help page comes after the answers.
  const after = page.locator('main:has([data-cta=help]) [data-cta] ~ :is(p, h2, section)');
  return [...faults, ...unnamed, ...(await after.allInnerTexts())];
}

async function documentFaults(page: Page, row: Row): Promise<string[]> {
  const { title, lang, viewport } = await page.evaluate(() => ({
    title: document.title,
    lang: document.documentElement.lang,
    viewport: document.querySelector<HTMLMetaElement>('meta[name=viewport]')?.content ?? '',
  }));
  const faults: string[] = [];
  if (!title) faults.push('no title');
  if (lang !== row.language) faults.push(`lang=${lang}`);
  if (!viewport.includes('width=device-width')) faults.push(viewport);
  if (/maximum-scale|user-scalable/.test(viewport)) faults.push(viewport);
  if (kindOf(row) === 'missing') return faults;
  for (const other of EVERY_LANGUAGE.filter((language) => language !== row.language)) {
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
  ],
  help: ['[data-cta]'],
  missing: [],
};
const BARS = ['dd:first-of-type svg', 'dd:last-of-type svg'];

async function forcedColours(page: Page, row: Row): Promise<string[]> {
  const kind = kindOf(row);
  if (kind === 'missing') return [];
  await page.emulateMedia({ forcedColors: 'active' });
  if (kind === 'landing') await page.setViewportSize({ width: 1280, height: 1600 }); // The form's whole box fits.
  await calm(page);
  const faults: string[] = [];
  const bars = kind === 'landing' ? BARS : [];
  for (const box of await allOf(page, [...EDGED[kind], ...bars])) {
    const edge = await edgeOf(page, box);
    if (edge < 0.8)
      faults.push(`${edge} of an edge: ${await box.evaluate(({ outerHTML }) => outerHTML)}`);
  }
  for (const bar of await allOf(page, bars)) {
    const ratio = await fillContrast(page, bar);
    if (ratio < 3) faults.push(`the bar’s fill: ${ratio}`);
  }
  const cta = page.locator('[data-cta]').first();
  await cta.scrollIntoViewIfNeeded();
  const before = await page.screenshot();
  await cta.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await calm(page);
  const { width, height } = (await cta.boundingBox()) ?? { width: 0, height: 0 };
  const changed = visiblyChanged(before, await page.screenshot());
  if (changed < 4 * (width + height)) faults.push(`the focus changes ${changed} px`);
  const shadow = await cta.evaluate((link) => getComputedStyle(link).boxShadow);
  if (shadow !== 'none') faults.push(shadow);
  await cta.blur();
  return faults;
}

/** The contrast of a bar's filled part with the ground around the bar. */
async function fillContrast(page: Page, bar: Locator): Promise<number> {
  return bar
    .locator('rect')
    .evaluate(
      (rect, { parse, contrast, backgroundOf }) =>
        contrast(parse(getComputedStyle(rect).fill), backgroundOf(rect)),
      await pageLook(page),
    );
}

async function moreContrast(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ contrast: 'more', colorScheme });
    await calm(page);
    const { pale, faint, translucent } = await weakColours(page);
    faults.push(...[...pale, ...faint, ...translucent].map((fault) => `${colorScheme}: ${fault}`));
  }
  return faults;
}

const NEW_TAB: Record<Language, string> = {
  en: '(opens in new tab)',
  es: '(se abre en otra pestaña)',
};

async function newTabs(page: Page, row: Row): Promise<string[]> {
  const faults: string[] = [];
  const links = await page.locator('a[target=_blank]').all();
  if (links.length === 0 && kindOf(row) !== 'missing') faults.push('no link to a new tab');
  for (const link of links) {
    const words = (await link.textContent()) ?? '';
    if (!words.includes(NEW_TAB[row.language])) faults.push(`${words}: does not say so`);
    if (!/\bnoopener\b/.test((await link.getAttribute('rel')) ?? '')) faults.push(`${words}: rel`);
  }
  const pressed = kindOf(row) === 'landing' ? links : await page.locator('[data-cta]').all();
  for (const link of pressed) {
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
function watchMotions(): void {
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
function motions(page: Page): Promise<string[]> {
  return page.evaluate(() => {
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
}

test('T17 each page has a title of its own', async ({ world }) => {
  const paths = EVERY_LANGUAGE.flatMap((language) => [
    landingIn(language),
    ...everyHelpPageIn(language),
  ]);
  const titles = paths.map(async (path) => {
    const answer = await fetch(`http://127.0.0.1:${world.site.port}${path}`);
    return /<title>(.*?)<\/title>/.exec(await answer.text())?.[1];
  });
  expect(new Set(await Promise.all(titles)).size).toBe(paths.length);
});

test.describe('with Global Privacy Control', () => {
  test.use({ extraHTTPHeaders: { 'Sec-GPC': '1' } });

  test('T18 the help pages make no analytics call, and a click has no address', async ({
    context,
    world,
  }) => {
    await context.addInitScript(() =>
      Object.defineProperty(navigator, 'globalPrivacyControl', {
        get: () => true,
        configurable: true,
      }),
    );
    const asked: string[] = [];
    context.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const ref = 'help-private';
    const paths = Object.values(HELP_PATHS).map((path, i) =>
      pathIn(EVERY_LANGUAGE[i % EVERY_LANGUAGE.length] as Language, path),
    );
    const [hub] = await Promise.all(
      paths.map(async (path) => {
        const page = await context.newPage();
        await page.goto(`${path}?ref=${ref}`, { waitUntil: 'networkidle' });
        return page;
      }),
    );
    await hub?.click('[data-cta=help]');
    const [line] = await loggedClicks(world, ref, 1);
    expect(line).toMatchObject({ event: 'help_cta_click', ip: null, remote_ip: null });
    expect(asked.filter((path) => path.startsWith('/k'))).toEqual([]);
  });
});

const SHOWN_MS = 5000;
const site = readSiteConfig(BUILDS.form);
const WORDS = {
  en: { ...islandsEn(site), form: formEn(site) },
  es: { ...islandsEs(site), form: formEs(site) },
};
const FIRST_NAME_FAULT: Record<Language, string> = {
  en: 'First name must be at least 2 characters',
  es: 'El nombre debe tener al menos 2 letras',
};

const theToast = (page: Page) => page.locator('[data-toast]');
/** The footer's opt-out. Its words change with the state. */
const theSwitch = (page: Page) => page.locator('[data-island=opt-out] button');

const openLanding = async (page: Page, language: Language, { width, colorScheme }: View) => {
  await page.clock.install();
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme });
  await page.goto(landingIn(language));
  await wake(page);
};

const STATES: [Language, View][] = [
  ['en', { width: 768, colorScheme: 'dark' }],
  ['es', { width: 320, colorScheme: 'light' }],
];

for (const [language, view] of STATES) {
  const { form, toaster, 'opt-out': optOut } = WORDS[language];

  test(`T15 the errors of the form (${language}) take the focus, appear next to their fields, and stay; T0 with them, and with the film on`, async ({
    page,
  }) => {
    await openLanding(page, language, view);
    const field = page.getByLabel(form.firstName);
    await field.fill('A');
    await page.getByRole('button', { name: form.register, exact: true }).click();
    const summary = page.getByRole('alert');
    await expect(summary).toBeFocused();
    expect(await page.title()).toMatch(new RegExp(`^${form.error} `));
    expect.soft(await axeComplaints(page), 'T0').toEqual([]);
    expect.soft(targetFaults(await targetsOf(page), view.width), 'T3').toEqual([]);
    await page.setViewportSize({ width: 320, height: 256 });
    await calm(page);
    expect.soft(await layoutFaults(page), 'T4').toEqual([]);
    await page.setViewportSize({ width: view.width, height: 800 });

    await page.clock.fastForward('01:00:00');
    const first = summary.getByRole('link').first();
    await expect(first).toHaveText(FIRST_NAME_FAULT[language]);
    await first.click();
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(FIRST_NAME_FAULT[language]);
    await expect(field).toHaveValue('A');

    await toggleFilm(page);
    await expect(page.locator('video')).toHaveJSProperty('paused', false);
    expect.soft(await axeComplaints(page), 'T0 with the film on').toEqual([]);
  });

  test(`T15 a registration (${language}) is announced, and still confirmed in the page an hour later`, async ({
    page,
  }) => {
    await openLanding(page, language, view);
    await page.getByLabel(form.firstName).fill('Ada');
    await page.getByLabel(form.lastName).fill('Lovelace');
    await page.getByLabel(form.email).fill(`an-hour-${language}@example.org`);
    await page.getByLabel(form.agree).check();
    await page.getByRole('button', { name: form.register, exact: true }).click();
    const confirmed = page.getByRole('heading', { name: form.welcome });
    await expect(confirmed).toBeFocused();
    expect(await liveValueOf(page, form.successful.title)).toBe('polite');
    expect.soft(await axeComplaints(page), 'T0').toEqual([]);
    await page.clock.fastForward('01:00:00');
    await expect(confirmed).toBeVisible();
    await expect(page.getByText(form.mailFollows)).toBeVisible();
  });

  test(`T15 a toast (${language}) is announced and leaves the focus; Escape and a button of 44 px close it; its words stay; T0 and T3 with it`, async ({
    page,
  }) => {
    await openLanding(page, language, view);
    expect(await liveRegions(page)).toContain('polite');
    for (const { title, description } of [optOut.nowOff, optOut.nowOn]) {
      await theSwitch(page).focus();
      await page.keyboard.press('Enter');
      await expect(theToast(page)).toContainText(title);
      expect(await liveValueOf(page, `${title}. ${description}`)).toBe('polite');
      await expect(theSwitch(page)).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(theToast(page)).toHaveCount(0);
      await expect(theSwitch(page)).toBeFocused();
    }

    await page.keyboard.press('Enter');
    await theToast(page).hover();
    // It waits under the pointer, and with the focus.
    await page.clock.fastForward(2 * SHOWN_MS);
    expect.soft(await axeComplaints(page), 'T0').toEqual([]);
    expect.soft(targetFaults(await targetsOf(page), view.width), 'T3').toEqual([]);
    await page.keyboard.press('F8');
    await page.keyboard.press('Tab');
    await page.mouse.move(2, 2);
    await page.clock.fastForward(2 * SHOWN_MS);
    const dismiss = theToast(page).getByRole('button', { name: toaster.dismiss });
    const { width = 0, height = 0 } = (await dismiss.boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    await dismiss.click();
    await expect(theToast(page)).toHaveCount(0);

    await page.clock.fastForward('01:00:00');
    await expect(page.locator('footer').getByText(optOut.isOff)).toBeVisible();
  });

  test(`T15 a toast from the footer's switch (${language}) covers no control of the footer, and can be reached at 320 × 256 with text at 200 %`, async ({
    page,
  }) => {
    await openLanding(page, language, view);
    for (const [width, height] of [
      [320, 568],
      [390, 844],
      [844, 390],
      [768, 1024],
      [1280, 720],
    ] as const) {
      await page.setViewportSize({ width, height });
      await theSwitch(page).click();
      await expect(theToast(page)).toBeVisible();
      expect.soft(await coveredByToast(page), `${width} × ${height}`).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(theToast(page)).toHaveCount(0);
    }
    await page.setViewportSize({ width: 320, height: 256 });
    await enlargeText(page, 2);
    await theSwitch(page).focus();
    await page.keyboard.press('Enter');
    const dismiss = theToast(page).getByRole('button');
    await expect(dismiss).toBeVisible();
    await page.keyboard.press('F8');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(dismiss).toBeFocused();
    await expect(dismiss).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Enter');
    await expect(theToast(page)).toHaveCount(0);
  });
}

/** The names of the footer's controls that the toast covers. One look, because the toast closes by itself. */
const coveredByToast = (page: Page) =>
  theToast(page).evaluate((toast) => {
    const a = toast.getBoundingClientRect();
    const controls = [...document.querySelectorAll('footer :is(a, button)')];
    if (controls.length === 0) return ['no controls'];
    return controls
      .filter((control) => {
        const b = control.getBoundingClientRect();
        return a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;
      })
      .map(({ textContent }) => textContent);
  });

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

for (const language of EVERY_LANGUAGE) {
  test(`T15 the opt-out of a help page (${language}) announces each state, also where it cannot store the choice, keeps the focus, and the words stay`, async ({
    page,
  }) => {
    const words = OPT_OUT[language]({ logIp: 'truncated' });
    await page.clock.install();
    await page.goto(pathIn(language, HELP_PATHS.privacy));
    await toolsReady(page);
    // The regions are there before their messages, because screen readers announce changes only.
    await expect(page.getByRole('status')).toHaveCount(2);
    await expectMessage(page, words.turnOff, words.isOff);
    await expectMessage(page, words.turnOn, words.isOn);
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      };
    });
    await expectMessage(page, words.turnOff, Object.values(words.notStored).join('. '));
  });
}

test('T15 a copied link of a help page is announced, and so is one that was not copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  await page.goto(HELP_PATHS.privacy);
  await toolsReady(page);
  await expectMessage(page, tools.copy, tools.copied);
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }),
  );
  await expectMessage(page, tools.copy, `${tools.notCopied} ${page.url()}`);
});
