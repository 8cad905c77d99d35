/**
 * Chooses the baseline, the ordinary days that say what is usual, and estimates how much they vary.
 * They are the eight weeks before a window. Days that an alert has explained are left out by their
 * dates, other outliers by their distance from the median.
 */
import { range, sumOverDays, type Table, valueAt } from './counts.ts';

/** Length of the baseline. Eight weeks have each weekday eight times. */
const BASELINE_DAYS = 56;
/** With fewer ordinary days, the engine compares nothing. */
const LEAST_DAYS = 14;
/** Standard deviations from the median beyond which a day is an outlier. */
const OUTLIER_DEVIATIONS = 3.5;
/**
 * Standard deviation of a day beyond the Poisson one, as a fraction of what is usual, by which
 * outliers are found.
 */
const OUTLIER_DAILY_DEVIATION = 0.15;
/**
 * Lower bound for the standard deviation of a day beyond the Poisson one, as a fraction of what is
 * usual. The real one is estimated, and a short baseline may by luck look too regular.
 */
const LEAST_DAILY_DEVIATION = { visits: 0.08, rate: 0.05 };

/** The compared measure: visits, or clicks per visit. */
export type Measure = 'visits' | 'rate';

export interface Baseline {
  /** Indexes of the ordinary days in `Table.days`. */
  days: number[];
  /**
   * Seasonal index of each weekday, from Monday on: 1 is an average day, 0.5 has half its visits.
   */
  weekday: number[];
  /** Squared coefficient of variation of a day, beyond that of a Poisson distribution. */
  overdispersion: Record<Measure, number>;
  /** Squared standard error of a weekday's index, which comes from a few weeks only. */
  shareRelativeVariance: number;
}

type Average = (values: number[]) => number;

const mean: Average = (values) =>
  values.reduce((sum, n) => sum + n, 0) / Math.max(1, values.length);
const median: Average = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  return (valueAt(sorted, (sorted.length - 1) >> 1) + valueAt(sorted, sorted.length >> 1)) / 2;
};

/**
 * Chooses the ordinary days of the eight weeks before a day.
 *
 * @param end index of the first day after the baseline
 * @param isComparable false for days that an alert has explained
 * @returns null: fewer than LEAST_DAYS are ordinary
 */
export function baselineBefore(
  table: Table,
  end: number,
  isComparable: (day: number) => boolean,
): Baseline | null {
  const candidates = range(Math.max(0, end - BASELINE_DAYS), end - 1).filter(isComparable);
  if (candidates.length < LEAST_DAYS) return null;
  const days = withoutOutliers(table, candidates);
  if (days.length < LEAST_DAYS) return null;
  const { visits, rated } = table.all;
  // Outliers are gone, so the mean is used: the median's standard error is 1.25 times as large.
  const weekday = weekdayShares(table, days, mean);
  const share = (day: number) => valueAt(weekday, valueAt(table.weekdays, day));
  const level = sumOverDays(visits, days) / days.reduce((sum, day) => sum + share(day), 0);
  const rate = sumOverDays(rated, days) / Math.max(1, sumOverDays(visits, days));
  const overdispersion = {
    visits: estimateOverdispersion(
      days,
      visits,
      (day) => level * share(day),
      LEAST_DAILY_DEVIATION.visits,
    ),
    rate: estimateOverdispersion(
      days,
      rated,
      (day) => valueAt(visits, day) * rate,
      LEAST_DAILY_DEVIATION.rate,
    ),
  };
  const weeks = days.length / 7;
  const shareRelativeVariance = (overdispersion.visits + 1 / Math.max(1, level)) / weeks;
  return { days, weekday, overdispersion, shareRelativeVariance };
}

/**
 * Leaves out days whose visits or clicks are far from the median of their weekday. Medians, because
 * a mean would follow the outliers.
 */
function withoutOutliers(table: Table, days: number[]): number[] {
  const weekday = weekdayShares(table, days, median);
  const share = (day: number) => valueAt(weekday, valueAt(table.weekdays, day));
  const isNear = (values: number[]) => {
    const level = median(days.map((day) => valueAt(values, day) / share(day)));
    return (day: number) => {
      const usual = level * share(day);
      const deviation = Math.sqrt(1 + usual + (OUTLIER_DAILY_DEVIATION * usual) ** 2);
      return Math.abs(valueAt(values, day) - usual) <= OUTLIER_DEVIATIONS * deviation;
    };
  };
  const [nearVisits, nearClicks] = [isNear(table.all.visits), isNear(table.all.rated)];
  return days.filter((day) => nearVisits(day) && nearClicks(day));
}

/** Computes the seasonal index of each weekday, from Monday on. A weekday without a day has 1. */
function weekdayShares({ all, weekdays }: Table, days: number[], average: Average): number[] {
  const level = average(days.map((day) => valueAt(all.visits, day))) || 1;
  return range(0, 6).map((weekday) => {
    const sameWeekday = days.filter((day) => valueAt(weekdays, day) === weekday);
    if (sameWeekday.length === 0) return 1;
    return Math.max(0.1, average(sameWeekday.map((day) => valueAt(all.visits, day))) / level);
  });
}

/**
 * Estimates overdispersion by the method of moments: the sum of (count - mean)² - mean over all
 * days, divided by the sum of mean².
 *
 * @param meanOf what is usual on a day, as a count
 * @param least lower bound for the standard deviation, as a fraction of the mean
 * @returns the squared coefficient of variation beyond that of a Poisson distribution
 */
function estimateOverdispersion(
  days: number[],
  values: number[],
  meanOf: (day: number) => number,
  least: number,
): number {
  let [extra, squares] = [0, 0];
  for (const day of days) {
    const usual = meanOf(day);
    extra += (valueAt(values, day) - usual) ** 2 - usual;
    squares += usual * usual;
  }
  return Math.max(least ** 2, extra / Math.max(squares, 1));
}
