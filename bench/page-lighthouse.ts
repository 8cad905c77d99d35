/** Runs a mobile Lighthouse audit of a page: two runs for all four categories, each with a new Chromium and profile. */
import { launch } from 'chrome-launcher';
import lighthouse, { defaultConfig, type Flags } from 'lighthouse';
import { findChromium } from '../tests/helpers/browser/find-chromium.ts';
import { CHROMIUM_FLAGS } from './page-visit.ts';

/** `simulate` loads at full speed and computes the times; `devtools` slows down the network and the CPU. */
export const MODES = ['simulate', 'devtools'] as const;
export type Mode = (typeof MODES)[number];

/** Categories without timings. */
const READ = ['accessibility', 'best-practices', 'seo'] as const;

export interface Audit {
  /** Scores from 0 to 100, by category. */
  scores: Record<'performance' | (typeof READ)[number], number>;
  /** Timings in milliseconds, under Lighthouse's names. */
  fcp: number;
  lcp: number;
  tbt: number;
  cls: number;
  /** All work of the main thread, in milliseconds. */
  mainThread: number;
  /** Ids of the audits outside performance that cost points. */
  faults: string[];
}

/** Performance has a run of its own, because the other categories' checks would slow down the first paint. */
export async function audit(url: string, mode: Mode): Promise<Audit> {
  const timed = await run(url, mode, ['performance']);
  const read = await run(url, mode, READ);
  const score = ({ categories }: Report, name: string) =>
    Math.round(100 * (categories[name]?.score ?? 0));
  const value = (name: string) => timed.audits[name]?.numericValue ?? Number.NaN;
  const faults = READ.flatMap((name) =>
    (read.categories[name]?.auditRefs ?? []).filter(
      ({ id, weight }) => weight > 0 && (read.audits[id]?.score ?? 1) < 1,
    ),
  );
  return {
    scores: {
      performance: score(timed, 'performance'),
      accessibility: score(read, 'accessibility'),
      'best-practices': score(read, 'best-practices'),
      seo: score(read, 'seo'),
    },
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    mainThread: value('mainthread-work-breakdown'),
    faults: faults.map(({ id }) => id),
  };
}

/** How many times slower a slow phone's processor is than this machine's. Lighthouse's own phone has 4. */
export const SLOW_CPU = 8;

/** Total blocking time in milliseconds, with devtools throttling and the processor of a slow phone. */
export async function blockingTimeOnSlowPhone(url: string): Promise<number> {
  const throttling = { ...defaultConfig.settings?.throttling, cpuSlowdownMultiplier: SLOW_CPU };
  const { audits } = await run(url, 'devtools', ['performance'], { throttling });
  return audits['total-blocking-time']?.numericValue ?? Number.NaN;
}

type Report = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

async function run(
  url: string,
  mode: Mode,
  categories: readonly string[],
  settings: Flags = {},
): Promise<Report> {
  const chromePath = findChromium();
  const chrome = await launch({
    ...(chromePath && { chromePath }),
    chromeFlags: ['--headless=new', ...CHROMIUM_FLAGS],
    logLevel: 'silent',
  });
  try {
    const result = await lighthouse(url, {
      port: chrome.port,
      logLevel: 'error',
      onlyCategories: [...categories],
      formFactor: 'mobile',
      throttlingMethod: mode,
      ...settings,
    });
    if (!result || result.lhr.runtimeError) throw new Error(result?.lhr.runtimeError?.message);
    return result.lhr;
  } finally {
    chrome.kill();
  }
}
