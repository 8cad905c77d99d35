import { describe, expect, test } from 'vitest';
import { countSeqGaps, type NumberedClick } from '../../../server/report/seq-gaps.ts';

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
