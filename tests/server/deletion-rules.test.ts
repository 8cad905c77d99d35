/** When old data may go, whatever the server's clock says. */
import { expect, test } from 'vitest';
import { judgeDeletion } from '../../server/deletion-rules.ts';
import { DAY_MS } from '../../server/time.ts';

const PART = { old: 5000, isLargePart: true, isNewestOld: false };

test.each([
  { what: 'nothing is old', part: { old: 0 }, verdict: 'nothing' },
  { what: 'an hour of clicks is old', part: { isLargePart: false }, verdict: 'delete' },
  { what: 'a thousand rows are most of a small table', part: { old: 1000 }, verdict: 'delete' },
  { what: 'a thousand and one are most of it', part: { old: 1001 }, verdict: 'announce' },
  { what: 'most of it is old, announced just now', announcedMs: 0, verdict: 'wait' },
  { what: '… almost a day ago', announcedMs: DAY_MS - 1, verdict: 'wait' },
  { what: '… a day ago', announcedMs: DAY_MS, verdict: 'delete' },
  { what: 'everything is old', part: { isNewestOld: true }, verdict: 'hold' },
  { what: 'a single row is, and the newest', part: { old: 1, isNewestOld: true }, verdict: 'hold' },
  {
    what: 'everything is old, announced a day ago',
    part: { isNewestOld: true },
    announcedMs: DAY_MS,
    verdict: 'hold',
  },
] as { what: string; part?: object; announcedMs?: number; verdict: string }[])(
  'if $what: $verdict',
  ({ part, announcedMs = null, verdict }) => {
    expect(judgeDeletion({ ...PART, ...part }, announcedMs)).toBe(verdict);
  },
);
