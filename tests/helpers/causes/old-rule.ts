/**
 * The former rule for alerts, for comparison: compares a day with the mean of the same weekday in
 * the four weeks before.
 */
import { type Table, valueAt } from '../../../server/report/causes/counts.ts';

export function isUnusualByOldRule({ all }: Table, day: number): boolean {
  const counts = (i: number) => ({
    clicks: valueAt(all.clicks, i),
    visits: valueAt(all.visits, i),
  });
  const before = [28, 21, 14, 7]
    .map((days) => counts(day - days))
    .filter(({ clicks, visits }) => clicks + visits > 0);
  const n = before.length;
  if (n === 0) return false;
  const mean = (what: 'clicks' | 'visits') => before.reduce((sum, one) => sum + one[what], 0) / n;
  const usual = { clicks: mean('clicks'), visits: mean('visits') };
  const { clicks, visits } = counts(day);
  const isFar = Math.abs(clicks - usual.clicks) > 4 * Math.sqrt(usual.clicks * (1 + 1 / n));
  const isOther = clicks * 2 < usual.clicks || clicks > usual.clicks * 2;
  if (n >= 2 && usual.clicks >= 10 && isFar && isOther) return true;
  const expected = (visits * usual.clicks) / Math.max(usual.visits, 1);
  return clicks === 0 && visits >= 30 && expected >= 5;
}
