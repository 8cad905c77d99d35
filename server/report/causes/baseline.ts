/**
 * The days that say what is usual: eight weeks before a window, without the days that a mail has
 * explained (by their dates) and without other spikes and holes (by their distance from the
 * median).
 */
import { at, range, sumOf, type Table } from './counts.ts';

/** Eight weeks have every weekday eight times. */
const BASE_DAYS = 56;
/** Fewer ordinary days are no comparison. */
const LEAST_DAYS = 14;
/** Standard deviations from the median beyond which a day is a spike or a hole. */
const OUTLIER = 3.5;
/** Day-to-day variation that a day may have before it is an outlier, as a part of the level. */
const OUTLIER_SPREAD = 0.15;
/**
 * Day-to-day variation beyond chance that every site has, as a part of the level. More is estimated
 * from the days.
 */
const LEAST_SPREAD = { visits: 0.08, rate: 0.05 };

export type Measure = 'visits' | 'rate';

export interface Base {
  /** Indexes of the ordinary days. */
  days: number[];
  /** Each weekday's share of the level: 1 is an average day. */
  weekday: number[];
  /** Squared coefficient of variation of a day beyond chance. */
  spread: Record<Measure, number>;
  /** The same of a weekday's share, which a few weeks do not show exactly. */
  shareVariation: number;
}

type Average = (values: number[]) => number;

const mean: Average = (values) =>
  values.reduce((sum, n) => sum + n, 0) / Math.max(1, values.length);
const median: Average = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  return (at(sorted, (sorted.length - 1) >> 1) + at(sorted, sorted.length >> 1)) / 2;
};

/**
 * @param end index of the first day after the base
 * @param isComparable false for days that a mail has explained
 * @returns null: too few days
 */
export function baseBefore(
  table: Table,
  end: number,
  isComparable: (day: number) => boolean,
): Base | null {
  const candidates = range(Math.max(0, end - BASE_DAYS), end - 1).filter(isComparable);
  if (candidates.length < LEAST_DAYS) return null;
  const days = withoutOutliers(table, candidates);
  if (days.length < LEAST_DAYS) return null;
  const { visits, rated } = table.all;
  // Without outliers, a mean is 1.25 times as sure as a median.
  const weekday = weekdayShares(table, days, mean);
  const share = (day: number) => at(weekday, at(table.weekdays, day));
  const level = sumOf(visits, days) / days.reduce((sum, day) => sum + share(day), 0);
  const rate = sumOf(rated, days) / Math.max(1, sumOf(visits, days));
  const spread = {
    visits: spreadOf(days, visits, (day) => level * share(day), LEAST_SPREAD.visits),
    rate: spreadOf(days, rated, (day) => at(visits, day) * rate, LEAST_SPREAD.rate),
  };
  const weeks = days.length / 7;
  const shareVariation = (spread.visits + 1 / Math.max(1, level)) / weeks;
  return { days, weekday, spread, shareVariation };
}

function withoutOutliers(table: Table, days: number[]): number[] {
  const weekday = weekdayShares(table, days, median);
  const share = (day: number) => at(weekday, at(table.weekdays, day));
  const isNear = (values: number[]) => {
    const level = median(days.map((day) => at(values, day) / share(day)));
    return (day: number) => {
      const usual = level * share(day);
      const deviation = Math.sqrt(1 + usual + (OUTLIER_SPREAD * usual) ** 2);
      return Math.abs(at(values, day) - usual) <= OUTLIER * deviation;
    };
  };
  const [nearVisits, nearClicks] = [isNear(table.all.visits), isNear(table.all.rated)];
  return days.filter((day) => nearVisits(day) && nearClicks(day));
}

function weekdayShares({ all, weekdays }: Table, days: number[], average: Average): number[] {
  const level = average(days.map((day) => at(all.visits, day))) || 1;
  return range(0, 6).map((weekday) => {
    const same = days.filter((day) => at(weekdays, day) === weekday);
    if (same.length === 0) return 1;
    return Math.max(0.1, average(same.map((day) => at(all.visits, day))) / level);
  });
}

/**
 * Estimates the part of the variance that a Poisson distribution does not have (method of moments).
 */
function spreadOf(
  days: number[],
  values: number[],
  meanOf: (day: number) => number,
  least: number,
): number {
  let [extra, squares] = [0, 0];
  for (const day of days) {
    const usual = meanOf(day);
    extra += (at(values, day) - usual) ** 2 - usual;
    squares += usual * usual;
  }
  return Math.max(least ** 2, extra / Math.max(squares, 1));
}
