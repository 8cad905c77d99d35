import { describe, expect, test } from 'vitest';
import {
  countSeqGaps,
  describeLoss,
  estimateTotal,
  type NumberedClick,
} from '../../../server/report/loss-meter.ts';

const DAY = '2026-01-31';
const visit = (...seqs: number[]): NumberedClick[] => seqs.map((seq) => ({ seq, day: DAY }));
const gapsOf = (...visits: NumberedClick[][]) => Object.fromEntries(countSeqGaps(visits));

/** Mulberry32. @returns numbers from 0 to below 1, the same for the same seed */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('gaps in the numbers of a visit', () => {
  test('prove lost clicks, but not the last ones of a visit', () => {
    expect(gapsOf(visit(1), visit(1, 2, 3), [])).toEqual({});
    expect(gapsOf(visit(2))).toEqual({ [DAY]: 1 });
    expect(gapsOf(visit(1, 4), visit(3, 5))).toEqual({ [DAY]: 5 });
    // Clicks may arrive in another order, or twice.
    expect(gapsOf(visit(4, 1, 2, 2, 4))).toEqual({ [DAY]: 1 });
  });

  test('count on the day of the next click that arrived', () => {
    const clicks = [
      { seq: 1, day: '2026-01-30' },
      { seq: 3, day: '2026-01-31' },
      { seq: 6, day: '2026-02-01' },
    ];
    expect(gapsOf(clicks)).toEqual({ '2026-01-31': 1, '2026-02-01': 2 });
  });

  test('in a simulation they are exactly the losses before each visit’s last arrived click', () => {
    const random = makeRandom(14);
    let lost = 0;
    const visits = Array.from({ length: 5000 }, () => {
      const made = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, i) => i + 1);
      const arrived = made.filter(() => random() > 0.05);
      lost += made.filter((seq) => !arrived.includes(seq) && seq < (arrived.at(-1) ?? 0)).length;
      return visit(...arrived);
    });
    expect(lost).toBeGreaterThan(100);
    expect(gapsOf(...visits)).toEqual({ [DAY]: lost });
  });
});

interface World {
  clicks: number;
  /** Probability that a channel gets a click. */
  log: number;
  browser: number;
  /** Probability that a click is hidden from both channels. */
  hidden?: number;
}

/** Makes clicks, loses some of them on each channel, and estimates their number from what is left. */
function simulate({ clicks, log, browser, hidden = 0 }: World, random: () => number) {
  const counts = { log: 0, browser: 0, both: 0 };
  for (let i = 0; i < clicks; i += 1) {
    if (random() < hidden) continue;
    const inLog = random() < log;
    const inBrowser = random() < browser;
    counts.log += Number(inLog);
    counts.browser += Number(inBrowser);
    counts.both += Number(inLog && inBrowser);
  }
  return estimateTotal(counts);
}

const SIZES = [1, 2, 5, 10, 30, 100, 1000, 20_000];
const RATES = [
  [0.999, 0.9],
  [0.98, 0.6],
  [0.9, 0.9],
  [0.8, 0.3],
  [0.5, 0.5],
] as const;
const WORLDS = SIZES.flatMap((clicks) => RATES.map(([log, browser]) => ({ clicks, log, browser })));

describe('the estimate from two channels', () => {
  test.each(WORLDS)(
    'the interval has the true number in at least 95 % of runs: $clicks clicks, the log gets $log of them, the browser’s channel $browser',
    (world) => {
      const random = makeRandom(world.clicks + 1000 * world.log + 1e6 * world.browser);
      const runs = world.clicks > 1000 ? 500 : 2000;
      let hits = 0;
      for (let run = 0; run < runs; run += 1) {
        const { lower, upper } = simulate(world, random);
        if (lower <= world.clicks && world.clicks <= (upper ?? Number.POSITIVE_INFINITY)) hits += 1;
      }
      expect(hits / runs).toBeGreaterThanOrEqual(0.95);
    },
  );

  test('the interval is no wider than it must be: that of the normal distribution at 97.5 %, for many clicks', () => {
    // Seber's variance of Chapman's estimator.
    const [log, browser, both] = [9000, 6000, 5400];
    const variance =
      ((log + 1) * (browser + 1) * (log - both) * (browser - both)) /
      ((both + 1) ** 2 * (both + 2));
    const { estimate, lower, upper } = estimateTotal({ log, browser, both });
    expect(estimate).toBeCloseTo((9001 * 6001) / 5401 - 1, 9);
    const width = (upper ?? Number.POSITIVE_INFINITY) - lower;
    expect(width / (2 * 2.2414 * Math.sqrt(variance))).toBeCloseTo(1, 1);
  });

  test('agrees with the hypergeometric distribution, counted case by case', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
    const probability = (total: number, both: number) =>
      (choose(6, both) * choose(total - 6, 5 - both)) / choose(total, 5);
    const { lower, upper } = estimateTotal({ log: 6, browser: 5, both: 4 });
    const inside = (total: number) => {
      const overlaps = [0, 1, 2, 3, 4, 5].filter((both) => both >= 11 - total);
      const sum = (wanted: (both: number) => boolean) =>
        overlaps.filter(wanted).reduce((all, both) => all + probability(total, both), 0);
      return sum((both) => both >= 4) > 0.0125 && sum((both) => both <= 4) > 0.0125;
    };
    const totals = Array.from({ length: 60 }, (_, i) => 7 + i).filter(inside);
    expect([lower, upper]).toEqual([totals[0], totals.at(-1)]);
  });

  test('is too low, not too high, if a click can be hidden from both channels', () => {
    const random = makeRandom(7);
    const world = { clicks: 10_000, log: 0.99, browser: 0.8, hidden: 0.03 };
    for (let run = 0; run < 20; run += 1) {
      const { estimate, upper } = simulate(world, random);
      expect(estimate).toBeLessThan(world.clicks);
      expect(upper).toBeLessThan(world.clicks);
    }
  });

  test('has no figure if one channel is empty, and no upper bound if they share nothing', () => {
    expect(estimateTotal({ log: 40, browser: 0, both: 0 })).toEqual({
      ...{ seen: 40, estimate: null, lower: 40, upper: null },
    });
    const apart = estimateTotal({ log: 3, browser: 2, both: 0 });
    expect(apart).toMatchObject({ seen: 5, estimate: 11, lower: 5, upper: null });
    expect(estimateTotal({ log: 9, browser: 9, both: 9 })).toMatchObject({ estimate: 9, lower: 9 });
  });

  test('is said as a lower bound, with its interval and the reason', () => {
    expect(describeLoss({ log: 9000, browser: 6000, both: 5400 })).toMatch(
      /^People made at least about 10,000 clicks \(9,9\d\d to 10,0\d\d\), and the log has 9,000: at least about 1,000 are missing\. The true number is at least this high, because the channels share losses/,
    );
    expect(describeLoss({ log: 3, browser: 2, both: 0 })).toContain('about 11 clicks (5 or more)');
    expect(describeLoss({ log: 9, browser: 9, both: 9 })).toContain('at least about 0 are missing');
    expect(describeLoss({ log: 9, browser: 0, both: 0 })).toBe(
      'The number of lost clicks cannot be estimated, because PostHog’s channel from browsers has no clicks to compare.',
    );
  });

  test('is fast for ten million clicks', () => {
    const { lower, upper } = estimateTotal({ log: 9_990_000, browser: 8_500_000, both: 8_492_000 });
    expect(lower).toBeGreaterThan(9_998_000);
    expect(upper).toBeLessThan(10_000_500);
  });

  test.each([
    { log: -1, browser: 1, both: 0 },
    { log: 1.5, browser: 1, both: 0 },
    { log: 2, browser: 1, both: 2 },
  ])('rejects %j', (counts) => {
    expect(() => estimateTotal(counts)).toThrow(RangeError);
  });
});
