/** One Lighthouse audit of a page: mobile, a fresh Chromium and profile, all four categories. */
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { findChromium } from '../build/find-chromium.ts';
import { CHROMIUM_FLAGS } from './page-visit.ts';

/** `simulate` loads at full speed and computes; `devtools` really slows network and processor down. */
export const MODES = ['simulate', 'devtools'] as const;
export type Mode = (typeof MODES)[number];

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

export interface Audit {
  /** 0 to 100, by category. */
  scores: Record<(typeof CATEGORIES)[number], number>;
  /** Milliseconds, as Lighthouse names them. */
  fcp: number;
  lcp: number;
  tbt: number;
  cls: number;
  /** What cost points outside performance, by audit id. */
  faults: string[];
}

export async function audit(url: string, mode: Mode): Promise<Audit> {
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
      onlyCategories: [...CATEGORIES],
      formFactor: 'mobile',
      throttlingMethod: mode,
    });
    if (!result || result.lhr.runtimeError) throw new Error(result?.lhr.runtimeError?.message);
    return read(result.lhr);
  } finally {
    chrome.kill();
  }
}

type Report = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

function read({ categories, audits }: Report): Audit {
  const score = (name: string) => Math.round(100 * (categories[name]?.score ?? 0));
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  const faults = CATEGORIES.slice(1).flatMap((name) =>
    (categories[name]?.auditRefs ?? []).filter(
      ({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1,
    ),
  );
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    faults: faults.map(({ id }) => id),
  };
}
