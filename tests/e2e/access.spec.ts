/**
 * The access rules that a loaded page can show, T0 to T19: pages × views × checks, with one load of each page and view. A new
 * page or a new check is one row. The other rules: keyboard.spec.ts, toast-tooltip.spec.ts, no-script.spec.ts and paper.spec.ts.
 */

import type { Page } from '@playwright/test';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import {
  ambiguousLinks,
  documentFaults,
  forcedColours,
  motions,
  type Row,
  structureFaults,
  tabFaults,
  watchMotions,
} from '../helpers/browser/access-checks.ts';
import { namedControls } from '../helpers/browser/accessibility-tree.ts';
import { axeComplaints } from '../helpers/browser/axe.ts';
import {
  enlargeText,
  fixedHeight,
  layoutFaults,
  lengthenTexts,
  widenSpacing,
} from '../helpers/browser/page-layout.ts';
import { calm, scrollThrough, wake } from '../helpers/browser/page-steps.ts';
import { started } from '../helpers/browser/page-waits.ts';
import {
  COUNTED_PAGES,
  helpPagesIn,
  MISSING_COMPLAINT,
  missingIn,
} from '../helpers/browser/site-pages.ts';
import { ctaFaults, mailFaults, targetFaults, targetsOf } from '../helpers/browser/targets.ts';
import { weakColours } from '../helpers/browser/weak-colours.ts';
import { expect, test } from './fixtures.ts';

test.use({
  build: 'form',
  contextOptions: { reducedMotion: 'reduce' },
  expectedComplaints: MISSING_COMPLAINT,
});

const VIEWS = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 768, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const;

/**
 * The landing page in each view. Each other page in one of them, and in the other language in the next. The changes that do not
 * depend on the words are made in one of the languages.
 */
const ROWS: Row[] = LANGUAGES.flatMap((language, group) => [
  ...VIEWS.slice(2 * group, 2 * group + 2).map((view, i) => ({
    ...({
      path: pathIn(language, '/'),
      language,
      kind: 'landing',
      isThorough: i === 0,
      isChanged: true,
    } as const),
    ...view,
  })),
  ...helpPagesIn(language).map((path, i) => ({
    ...({ path, language, kind: 'help', isThorough: i === 0 } as const),
    isChanged: (i + group) % 2 === 0,
    ...(VIEWS[(i + group) % 2] ?? VIEWS[0]),
  })),
  {
    path: missingIn(language),
    language,
    kind: 'missing',
    isThorough: true,
    isChanged: group === 0,
    ...(VIEWS[group] ?? VIEWS[0]),
  },
]);

type Check = (page: Page, row: Row) => Promise<unknown[]>;

/** These leave the page as it is. Each returns its faults, so an empty list is a pass. */
const CHECKS: Record<string, Check> = {
  'T0 axe': axeComplaints,
  'T3 targets': async (page, { width }) => {
    const faults = [...targetFaults(await targetsOf(page), width), ...(await mailFaults(page))];
    for (const cta of await page.locator('[data-cta]').all()) {
      faults.push(...(await ctaFaults(cta, width)));
    }
    return faults;
  },
  'T4 the layout as it is': layoutFaults,
  'T11 names': async (page) => {
    const controls = await namedControls(page);
    const wrong = controls
      .filter(({ name, visible }) => !visible || !lower(name).startsWith(lower(visible)))
      .map(({ name, visible }) => `"${visible}" is called "${name}"`);
    const ctas = await page.locator('[data-cta]').count();
    const counts = [
      ...(controls.length < 3 ? ['too few controls'] : []),
      ...(ctas > 4 ? [`${ctas} calls to action`] : []),
    ];
    return [...wrong, ...counts, ...(await page.evaluate(ambiguousLinks))];
  },
  'T16 structure': structureFaults,
  'T17 document': documentFaults,
};
const lower = (words: string) => words.toLowerCase();

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
  'T8 more contrast': weakColours,
  'T17 turned on its side': async (page) => {
    await page.setViewportSize({ width: 844, height: 390 });
    await calm(page);
    const turned = await page.evaluate(() => getComputedStyle(document.body).transform);
    return [...(await layoutFaults(page)), ...(turned === 'none' ? [] : [turned])];
  },
  'T12 new tabs': tabFaults,
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
  const { path, kind, width, colorScheme } = row;
  const asIs = async (page: Page) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, contrast: null, forcedColors: null });
    await page.evaluate(() => {
      document.documentElement.removeAttribute('style');
      document.adoptedStyleSheets = [];
    });
    await calm(page);
  };

  test(`access of ${path} at ${width} px, ${colorScheme}`, async ({ page, context, world }) => {
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(world.url)) foreign.push(request.url());
    });
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.addInitScript(watchMotions);
    await page.goto(path);
    await started(page);
    await started(page);

    const stored = await page.evaluate(() => [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
    ]);
    const untouched = [...foreign, ...stored, ...(await context.cookies())];
    expect.soft(untouched, 'T18 before the visitor acts').toEqual([]);
    if (kind === 'landing') {
      expect.soft(await axeComplaints(page), 'T0 as it arrives').toEqual([]);
      await wake(page);
    } else await scrollThrough(page);
    for (const [rule, faultsOf] of Object.entries(CHECKS)) {
      expect.soft(await faultsOf(page, row), rule).toEqual([]);
    }
    for (const [rule, faultsOf] of Object.entries(CHANGES)) {
      if (!row.isChanged && !rule.startsWith('T4')) continue;
      expect.soft(await faultsOf(page, row), rule).toEqual([]);
      await asIs(page);
    }
  });
}

test('T17: each page has a title of its own', async ({ world }) => {
  const titles = COUNTED_PAGES.map(async (path) => {
    const answer = await fetch(`http://127.0.0.1:${world.site.port}${path}`);
    return /<title>(.*?)<\/title>/.exec(await answer.text())?.[1];
  });
  expect(new Set(await Promise.all(titles)).size).toBe(COUNTED_PAGES.length);
});
