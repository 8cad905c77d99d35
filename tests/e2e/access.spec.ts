/**
 * The access rules that a loaded page can show, T0 to T19: pages × views × checks, with one load of
 * each page and view. A new page or a new check is one row. The other rules: keyboard.spec.ts,
 * toast.spec.ts, tooltip.spec.ts, no-script.spec.ts and paper.spec.ts.
 */

import type { Page } from '@playwright/test';
import { splitPath } from '#contract/language.ts';
import {
  contrastFaults,
  documentFaults,
  forcedColourFaults,
  motions,
  nameFaults,
  newTabFaults,
  type Row,
  structureFaults,
} from '../helpers/browser/access-checks.ts';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { watchMoves } from '../helpers/browser/moves.ts';
import {
  enlargeText,
  layoutFaults,
  lengthenTexts,
  widenSpacing,
} from '../helpers/browser/page-layout.ts';
import { allAwake, moduleRan, nothingMoves, scrollThrough } from '../helpers/browser/page-waits.ts';
import { helpPagesIn, MISSING_COMPLAINT, missingIn } from '../helpers/browser/site-pages.ts';
import { targetFaults } from '../helpers/browser/targets.ts';
import { expect, test } from './fixtures.ts';

test.use({
  build: 'form',
  expectedComplaints: MISSING_COMPLAINT,
});

const VIEWS = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 768, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const;

/**
 * The landing page in each view: as it is in all, and changed in one view of each language and
 * colour scheme. Each other page in one view and one language.
 */
const ROWS: Row[] = [
  ...VIEWS.map((view, i) => rowOf('landing', i % 2 === 0 ? '/' : '/es/', view)),
  ...helpPagesIn('en').map((path, i) =>
    rowOf('help', i % 2 === 0 ? path : `/es${path}`, VIEWS[(i + (i >> 2)) % 4] ?? VIEWS[0]),
  ),
  rowOf('missing', missingIn('es'), VIEWS[0]),
];

function rowOf(kind: Row['kind'], path: string, view: (typeof VIEWS)[number]): Row {
  return { kind, path, language: splitPath(path).language, ...view };
}

type Check = (page: Page, row: Row) => Promise<unknown[]>;

/** These leave the page as it is. Each returns its faults, so an empty list is a pass. */
const CHECKS: Record<string, Check> = {
  'T0 axe': axeComplaints,
  'T3 targets': targetFaults,
  'T4 the layout as it is': layoutFaults,
  'T11 names': nameFaults,
  'T16 structure': structureFaults,
  'T17 document': documentFaults,
};

/** Each changes the page, which is then put back, except by the last one. */
const CHANGES: Record<string, Check> = {
  'T4 at 320 × 256, with text at 100 and 200 %': async (page) => {
    await page.setViewportSize({ width: 320, height: 256 });
    await nothingMoves(page);
    const faults = await layoutFaults(page);
    await enlargeText(page, 2);
    return [...faults, ...(await layoutFaults(page))];
  },
  'T5 text spacing': async (page) => {
    await widenSpacing(page);
    return layoutFaults(page);
  },
  'T7 forced colours': forcedColourFaults,
  'T8 more contrast': contrastFaults,
  'T17 turned on its side': async (page) => {
    await page.setViewportSize({ width: 844, height: 390 });
    await nothingMoves(page);
    const turned = await page.evaluate(() => getComputedStyle(document.body).transform);
    return [...(await layoutFaults(page)), ...(turned === 'none' ? [] : [turned])];
  },
  'T12 new tabs': newTabFaults,
  'T6 reduced motion': motions,
  'T5 longer words': async (page) => {
    await lengthenTexts(page, 0.4);
    const faults: string[] = [];
    for (const width of [280, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await nothingMoves(page);
      faults.push(...(await layoutFaults(page)));
    }
    return faults;
  },
};

for (const row of ROWS) {
  const { path, kind, width, colorScheme } = row;
  const isChanged =
    kind !== 'landing' ||
    VIEWS.slice(0, 2).some((view) => view.width === width && view.colorScheme === colorScheme);
  const asIs = async (page: Page) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, contrast: null, forcedColors: null });
    await page.evaluate(() => {
      document.documentElement.removeAttribute('style');
      document.adoptedStyleSheets = [];
    });
    await nothingMoves(page);
  };

  test(`access of ${path} at ${width} px, ${colorScheme}`, async ({ page, context, world }) => {
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(world.url)) foreign.push(request.url());
    });
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.addInitScript(watchMoves);
    await page.goto(path);
    await moduleRan(page);

    const stored = await page.evaluate(() => [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
    ]);
    const untouched = [...foreign, ...stored, ...(await context.cookies())];
    expect.soft(untouched, 'T18 before the visitor acts').toEqual([]);
    if (kind === 'landing') {
      expect.soft(await axeComplaints(page), 'T0 as it arrives').toEqual([]);
      await allAwake(page);
    } else await scrollThrough(page);
    for (const [rule, faultsOf] of Object.entries(CHECKS))
      expect.soft(await faultsOf(page, row), rule).toEqual([]);
    for (const [rule, faultsOf] of Object.entries(isChanged ? CHANGES : {})) {
      expect.soft(await faultsOf(page, row), rule).toEqual([]);
      await asIs(page);
    }
  });
}

for (const [width, colorScheme, path] of [
  [320, 'dark', '/es/'],
  [1440, 'light', '/'],
] as const)
  test(`the team's switch, ${path} at ${width} px, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${path}?internal=1`);
    await page.getByRole('complementary').getByRole('button').click();
    await nothingMoves(page);
    await expect(page.locator('[data-skip]')).not.toBeInViewport();
    expect(await axeComplaints(page)).toEqual([]);
    expect(await targetFaults(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
  });
