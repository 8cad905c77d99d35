/**
 * Measures how many clicks were lost, in two ways:
 *
 * - `countSeqGaps` proves losses. A visit numbers its clicks 1, 2, 3 …, so a missing number before a later one is a lost click.
 * - `estimateTotal` estimates the number of all clicks from two channels that report the same clicks: our log, and the events
 *   that browsers send to PostHog.
 *
 * Pure functions.
 */

/** A click of a visit that arrived. */
export interface NumberedClick {
  /** 1, 2, 3 … within the visit. */
  seq: number;
  /** UTC date of reception, `2026-01-31`. */
  day: string;
}

/**
 * Counts the clicks that are proven to be lost, by the day of the next click of their visit that arrived. A click that waits
 * in a browser's outbox counts as lost until it arrives. A lost last click leaves no gap.
 *
 * @param visits for each visit, its clicks in any order; a visit with one click and `seq` 1 may be missing
 */
export function countSeqGaps(
  visits: Iterable<readonly NumberedClick[]>,
): ReadonlyMap<string, number> {
  const lostPerDay = new Map<string, number>();
  for (const visit of visits) {
    let last = 0;
    for (const { seq, day } of [...visit].sort((a, b) => a.seq - b.seq)) {
      const lost = seq - last - 1;
      if (lost > 0) lostPerDay.set(day, (lostPerDay.get(day) ?? 0) + lost);
      last = seq;
    }
  }
  return lostPerDay;
}

/** Numbers of clicks. */
export interface TwoChannels {
  log: number;
  browser: number;
  /** Clicks that are in both channels, by their id. */
  both: number;
}

export interface TotalEstimate {
  /** Clicks in at least one channel. */
  seen: number;
  /** All clicks, with those that neither channel has. Null: one channel is empty, so there is nothing to compare. */
  estimate: number | null;
  /** Bounds of the interval, whole numbers. `upper` is null if the channels have too little in common for a bound. */
  lower: number;
  upper: number | null;
}

/**
 * Upper bound for the probability of an interval above the true number, and of one below it. Together 2.5 % and not 5 %, so that
 * a series of some hundred cases has 95 % too.
 */
const TAIL = 0.0125;

/** Above this total there is no upper bound. */
const MAX_TOTAL = 1e12;

/**
 * Estimates the number of all clicks with Chapman's estimator (D. G. Chapman, "Some properties of the hypergeometric
 * distribution with applications to zoological sample censuses", 1951): (n1 + 1)(n2 + 1) / (m + 1) − 1.
 *
 * The interval has each total for which the number in both channels is in no 1.25 % tail of the hypergeometric distribution.
 * This is the "general method" of Cosenza, Eudey, Kerr and Trumbo, "A Review of Methods for Point and Interval Estimation of
 * Population Size in Capture-Recapture Studies", ARMS 2(1), 2014. It has the true number in at least 95 % of cases for every
 * size. Intervals from a normal approximation do not promise that for few clicks.
 *
 * Both assume that a click's loss in one channel says nothing about the other. Our channels share losses: a tab that closes at
 * once hides a click from both. The true number is then higher, so the result is a lower bound (`describeLoss`).
 *
 * @throws RangeError if the numbers contradict each other
 */
export function estimateTotal({ log, browser, both }: TwoChannels): TotalEstimate {
  checkCounts([log, browser, both]);
  if (both > Math.min(log, browser)) {
    throw new RangeError(`${both} of ${log} and ${browser} clicks cannot be in both channels.`);
  }
  const seen = log + browser - both;
  if (log === 0 || browser === 0) return { seen, estimate: null, lower: seen, upper: null };
  const estimate = ((log + 1) * (browser + 1)) / (both + 1) - 1;
  const tailsOf = (total: number) => overlapTails(total, log, browser, both);
  // The larger the total, the smaller the expected overlap. So `atMost` grows with the total, and `atLeast` falls.
  const isLargeEnough = (total: number) => tailsOf(total).atMost > TAIL;
  const isTooLarge = (total: number) => tailsOf(total).atLeast <= TAIL;
  const lower = firstTotal(seen, isLargeEnough) ?? seen;
  const above = firstTotal(lower, isTooLarge);
  return { seen, estimate, lower, upper: above === null ? null : Math.max(lower, above - 1) };
}

/** Says it in sentences for a report, as a lower bound and with the reason. @throws RangeError as `estimateTotal` does */
export function describeLoss(channels: TwoChannels): string {
  const { estimate, lower, upper } = estimateTotal(channels);
  if (estimate === null) {
    const empty = channels.log === 0 ? 'the log' : 'PostHog’s channel from browsers';
    return `The number of lost clicks cannot be estimated, because ${empty} has no clicks to compare.`;
  }
  const made = Math.max(lower, Math.round(estimate));
  const range =
    upper === null ? `${number(lower)} or more` : `${number(lower)} to ${number(upper)}`;
  return (
    `People made at least about ${number(made)} clicks (${range}), and the log has ${number(channels.log)}: ` +
    `at least about ${number(made - channels.log)} are missing. ${LOWER_BOUND}`
  );
}

const LOWER_BOUND =
  'The true number is at least this high, because the channels share losses: a tab that closes at once, or a device without network, can hide a click from both.';

const number = (value: number) => value.toLocaleString('en-US');

function checkCounts(counts: number[]): void {
  if (counts.every((count) => Number.isSafeInteger(count) && count >= 0)) return;
  throw new RangeError(
    `Numbers of clicks must be whole and not negative, not ${counts.join(', ')}.`,
  );
}

/** @returns the smallest total from `start` on that is `wanted`, where all larger ones are too; null: none up to MAX_TOTAL */
function firstTotal(start: number, wanted: (total: number) => boolean): number | null {
  if (wanted(start)) return start;
  let not = start;
  let is = start + 1;
  while (!wanted(is)) {
    if (is > MAX_TOTAL) return null;
    not = is;
    is = start + 2 * (is - start);
  }
  while (is - not > 1) {
    const middle = Math.floor((not + is) / 2);
    if (wanted(middle)) is = middle;
    else not = middle;
  }
  return is;
}

/** Terms of a distribution below this part of its largest one do not change a sum. */
const NEGLIGIBLE = 1e-17;

/**
 * Probabilities that two independent channels with `log` and `browser` of `total` clicks have at least, or at most, `both` in
 * common. Starts at the most probable overlap and multiplies by the ratio of neighbouring terms, so no factorial is needed.
 */
function overlapTails(total: number, log: number, browser: number, both: number) {
  const least = Math.max(0, log + browser - total);
  const most = Math.min(log, browser);
  const mode = clamp(Math.floor(((log + 1) * (browser + 1)) / (total + 2)), least, most);
  /** P(k + 1) / P(k). */
  const ratio = (k: number) =>
    ((log - k) * (browser - k)) / ((k + 1) * (total - log - browser + k + 1));
  const sums = { below: 0, at: 0, above: 0 };
  const add = (k: number, term: number) => {
    if (k < both) sums.below += term;
    else if (k > both) sums.above += term;
    else sums.at += term;
  };
  add(mode, 1);
  for (let k = mode, term = 1; k < most && term > NEGLIGIBLE; k += 1) {
    term *= ratio(k);
    add(k + 1, term);
  }
  for (let k = mode, term = 1; k > least && term > NEGLIGIBLE; k -= 1) {
    term /= ratio(k - 1);
    add(k - 1, term);
  }
  const all = sums.below + sums.at + sums.above;
  return { atLeast: (sums.at + sums.above) / all, atMost: (sums.at + sums.below) / all };
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));
