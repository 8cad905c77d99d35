/**
 * Measures the page's cost for a visitor: ours next to a hand-written baseline, in one run.
 *
 *   npm run bench:page -- [--runs 5] [--tries 10] [--only devtools]
 *
 * --runs: number of Lighthouse runs in each mode, and of the other measurements; --tries: clicks and departures at first paint;
 * --only: one part (simulate, devtools, slow, feel, weigh, early); may be repeated. `--only parts` tells the
 * main-thread time of each part of our page.
 * Both pages take turns, so that other load on the machine affects both. Compare columns, never two runs.
 * Exits with 1 when a budget is missed.
 */
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright';
import type { Browser as Unwatched } from 'puppeteer-core';
import { feelWhole, HANDS, interactEarly, launchUnwatched } from './page-feel.ts';
import { audit, blockingTimeOnSlowPhone, MODES, type Mode, SLOW_CPU } from './page-lighthouse.ts';
import { clickEarly, LEAVES, leaveEarly, loadAll, loadUntouched } from './page-measures.ts';
import { measureParts } from './page-parts.ts';
import { type Measured, median, report } from './page-report.ts';
import { type Site, startSites } from './page-sites.ts';
import { launchBrowser } from './page-visit.ts';

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    tries: { type: 'string', default: '10' },
    only: { type: 'string', multiple: true },
  },
});
const RUNS = Number(options.runs);
const TRIES = Number(options.tries);

const sites = await startSites();
const results = new Map(sites.map((site) => [site.name, nothing()]));
try {
  for (const mode of MODES) if (isWanted(mode)) await runLighthouse(mode);
  if (isWanted('slow')) await runSlowPhone();
  if (isWanted('feel')) {
    const unwatched = await launchUnwatched();
    await feel(unwatched);
    await unwatched.close();
  }
  const browser = await launchBrowser();
  if (isWanted('weigh')) await weigh(browser);
  if (isWanted('early')) await tryEarly(browser);
  if (options.only?.includes('parts')) await tellParts(browser);
  await browser.close();
} finally {
  await Promise.all(sites.map((site) => site.close()));
}
const { table, missed } = report(of('floor'), of('ours'));
process.stdout.write(`${table}\n\n${missed} budgets missed.\n`);
process.exitCode = missed > 0 ? 1 : 0;

function isWanted(part: string): boolean {
  return !options.only || options.only.includes(part);
}

async function runLighthouse(mode: Mode): Promise<void> {
  await inTurns(RUNS, `Lighthouse ${mode}`, async (site, result) => {
    const one = await audit(site.url, mode);
    result.audits[mode].push(one);
    return one;
  });
}

async function runSlowPhone(): Promise<void> {
  await inTurns(RUNS, `Lighthouse CPU ÷ ${SLOW_CPU}`, async (site, result) => {
    const ms = await blockingTimeOnSlowPhone(site.url);
    result.slowBlocking.push(ms);
    return ms;
  });
}

async function feel(browser: Unwatched): Promise<void> {
  await inTurns(RUNS, 'feel', async (site, result) => {
    result.feels.push(await feelWhole(browser, site));
    for (const { hand, everyMs } of HANDS) {
      result.interactions[hand].push(await interactEarly(browser, site, everyMs));
    }
    return [result.feels.at(-1), ...HANDS.map(({ hand }) => result.interactions[hand].at(-1))];
  });
}

async function weigh(browser: Browser): Promise<void> {
  await inTurns(RUNS, 'weigh', async (site, result) => {
    result.untouched.push(await loadUntouched(browser, site));
    result.all.push(await loadAll(browser, site));
    return [result.untouched, result.all].map((loads) => loads.at(-1)?.length);
  });
}

async function tryEarly(browser: Browser): Promise<void> {
  await inTurns(TRIES, 'try', async (site, result) => {
    result.clicks.push(await clickEarly(browser, site));
    for (const when of LEAVES) result.leaves[when].push(await leaveEarly(browser, site, when));
    return [result.clicks.at(-1), ...LEAVES.map((when) => result.leaves[when].at(-1))];
  });
}

/** Prints medians. It has no budget of its own: it explains the main-thread time of the Lighthouse runs. */
async function tellParts(browser: Browser): Promise<void> {
  const times = new Map<string, number[]>();
  await inTurns(RUNS, 'parts', async (site) => {
    for (const [part, ms] of await measureParts(browser, site)) {
      const name = `${site.name}, ${part}`;
      times.set(name, [...(times.get(name) ?? []), ms]);
    }
  });
  for (const [name, all] of times) {
    process.stdout.write(`${name}: ${median(all).toFixed(0)} ms\n`);
  }
}

/** Measures both pages in turns. Repeats a failed measurement once, so that it does not end a run of an hour. */
async function inTurns(
  count: number,
  name: string,
  measure: (site: Site, result: Measured) => Promise<unknown>,
): Promise<void> {
  for (let n = 1; n <= count; n++) {
    for (const site of sites) {
      const once = () => measure(site, of(site.name));
      const figures = await once().catch(once);
      process.stderr.write(`${name} ${n} ${site.name}: ${JSON.stringify(figures)}\n`);
    }
  }
}

function of(name: string): Measured {
  const result = results.get(name);
  if (!result) throw new Error(`no such page: ${name}`);
  return result;
}

function nothing(): Measured {
  return {
    audits: { simulate: [], devtools: [] },
    slowBlocking: [],
    untouched: [],
    all: [],
    feels: [],
    interactions: { quick: [], slow: [], unhurried: [] },
    clicks: [],
    leaves: { 'at first paint': [], 'when loaded': [] },
  };
}
