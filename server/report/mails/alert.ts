/** Finds a day whose clicks are unusual, and writes the mail about it. */
import { type Counts, noCounts } from '../figures/figures.ts';
import { whole } from '../figures/numbers.ts';
import type { ReportSource, readReport } from '../figures/read-report.ts';

const WEEKS = 4;
/** Fewer weekdays are no comparison. */
const LEAST_DAYS = 2;
const LEAST_MEAN = 10;
/** Clicks spread by about the root of their mean. Four times as far comes by chance less than once in two years. */
const DEVIATIONS = 4;
/** Large sites vary more than that, with news and holidays. */
const FACTOR = 2;
const LEAST_VISITS = 30;
/** Where five clicks are expected, none comes by chance on one day of 150. */
const LEAST_EXPECTED = 5;

/**
 * Compares a day with the same weekday in the four weeks before.
 *
 * @param now milliseconds since 1970
 * @returns the subject and the text of a mail; null: the day was as usual
 */
export async function makeAlert(
  source: ReportSource,
  day: Temporal.PlainDate,
  now: number,
  read: typeof readReport,
) {
  const { timeZone, siteUrl, mail } = source.site;
  const days = { from: String(day.subtract({ weeks: WEEKS })), to: String(day) };
  const report = await read(source, days, now);
  const all = report.columns.map(({ now }) => now);
  const counted = all.pop() ?? noCounts();
  // Others were before the site, or while it was away, or their rows are deleted.
  const isDay = (one: Counts) => one.clicks + one.visits > 0;
  const weekdays = all.filter((one, i) => i % 7 === 0 && isDay(one));
  // On a young site, clicks can stop too.
  const isYoung = weekdays.length < LEAST_DAYS;
  const before = isYoung ? all.filter(isDay) : weekdays;
  const meanOf = (what: 'clicks' | 'visits') =>
    before.reduce((sum, one) => sum + one[what], 0) / before.length;
  const usual = { clicks: meanOf('clicks'), visits: meanOf('visits') };
  if (!isUnusual(counted, usual, weekdays.length)) return null;
  const inWords = (n: number) => whole(Math.round(n));
  const weekday = (other = {}) => day.toLocaleString('en-US', { weekday: 'long', ...other });
  const name = weekday({ month: 'long', day: 'numeric' });
  const compared = `${before.length} ${isYoung ? 'day' : weekday()}${before.length > 1 ? 's' : ''}`;
  return {
    subject: `${mail.productName}: ${whole(counted.clicks)} clicks on ${name}, usually ${inWords(usual.clicks)}`,
    text: `${name}, time zone ${timeZone}

Clicks: ${whole(counted.clicks)}. On the ${compared} before: ${inWords(usual.clicks)} on average.
Visits: ${whole(counted.visits)}. On the ${compared} before: ${inWords(usual.visits)} on average.

If the visits changed as much, look at the links in the report:
${siteUrl}/report?from=${day}&to=${day}
If only the clicks changed, press each button of the page. Then look at ${siteUrl}/healthz and at PostHog.
`,
  };
}

/** @param n weekdays of which `usual` is the mean. The mean of few days is itself uncertain */
function isUnusual({ clicks, visits }: Counts, usual: Omit<Counts, 'rated'>, n: number) {
  const spread = Math.sqrt(usual.clicks * (1 + 1 / n));
  const isFar = Math.abs(clicks - usual.clicks) > DEVIATIONS * spread;
  const isOther = clicks * FACTOR < usual.clicks || clicks > usual.clicks * FACTOR;
  if (n >= LEAST_DAYS && usual.clicks >= LEAST_MEAN && isFar && isOther) return true;
  const expected = (visits * usual.clicks) / Math.max(usual.visits, 1);
  return clicks === 0 && visits >= LEAST_VISITS && expected >= LEAST_EXPECTED;
}
