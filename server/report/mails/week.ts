/** Writes the mail of a week: its totals, what has changed, its links and its notes. */
import { IS_COUNTED } from '../../clicks/counted-rows.ts';
import { HOUR_MS } from '../../time.ts';
import { dayAfter } from '../causes/counts.ts';
import { addressOf } from '../causes/sentences.ts';
import { plural, shortDate } from '../causes/words.ts';
import { NOTHING, rate, rateOf, totalsOf } from '../figures/numbers.ts';
import type { ReportSource, readReport } from '../figures/read-report.ts';
import type { Report } from '../figures/report.ts';
import { NONE, NOT_KEPT, OTHERS } from '../figures/selection.ts';
import { datesInWords } from '../page/words.ts';
import { dateOf } from '../question.ts';
import { type MailContext, readContext } from './context.ts';
import type { Figure, Letter, Line, Part } from './letter.ts';
import { readWeekFacts } from './week-facts.ts';

/** Hour of the team's time zone at which mails are due, so that they are there when work begins. */
const DUE_HOUR = 6;
/**
 * Days of visits from which on a mail may say "Nothing unusual": alerts need as many (baseline.ts).
 */
const KNOWN_DAYS = 14;
/** Days over which links are compared. In a week, few links have enough visits for a click rate. */
const LINK_DAYS = 28;

interface Week {
  /** Monday and Sunday: 2026-01-26 and 2026-02-01. */
  from: string;
  to: string;
}

/** Returns the last day that ended before the latest 06:00. @param now milliseconds since 1970 */
export const dueDay = (now: number, timeZone: string): Temporal.PlainDate =>
  dateOf(now - DUE_HOUR * HOUR_MS, timeZone).subtract({ days: 1 });

/** Returns the last week that ended before the latest Monday, 06:00. @param now as for `dueDay` */
export function dueWeek(now: number, timeZone: string): Week {
  const day = dueDay(now, timeZone).add({ days: 1 });
  const monday = day.subtract({ days: day.dayOfWeek - 1 });
  return { from: String(monday.subtract({ days: 7 })), to: String(monday.subtract({ days: 1 })) };
}

/**
 * Writes the mail. A site that is younger than the week, or than the days for its links, is
 * reported from its first day on.
 *
 * @param read reads a report
 * @returns null: the site had no visit until the end of the week, so it did not exist
 */
export async function writeWeek(
  source: ReportSource,
  week: Week,
  now: number,
  read: typeof readReport,
): Promise<Letter | null> {
  const firstDay = await readFirstDay(source);
  if (firstDay === null || firstDay > week.to) return null;
  const { from, to } = { ...week, from: laterOf(week.from, firstDay) };
  const linksFrom = laterOf(dayAfter(to, 1 - LINK_DAYS), firstDay);
  const report = await read(source, { from, to }, now);
  const links = await read(source, { from: linksFrom, to }, now);
  const context = await readContext(source);
  const facts = await readWeekFacts(source, to, context);
  const isKnown = facts !== null && firstDay <= dayAfter(to, -KNOWN_DAYS);
  const figures = figuresOf(report, firstDay <= dayAfter(week.from, -7));
  const [first] = facts ?? [];
  const news = [clicksInWords(report, figures), first ? first.news : isKnown && 'nothing unusual'];
  const address = addressOf({}, from, to);
  const unusual = (facts ?? []).map(context.toLine);
  const usual = isKnown ? [{ text: 'Nothing unusual.' }] : [];
  return context.toLetter(news.filter(Boolean).join('; '), datesInWords(report.question), [
    { figures },
    { heading: 'What has changed', lines: unusual.length > 0 ? unusual : usual },
    bestAndWorst(links, context),
    { heading: 'Notes', lines: notesOf(context, { from, to }) },
    {
      heading: 'The report',
      lines: [
        context.toLine({ text: 'This week', address }),
        context.toLine({ text: 'The last 30 days', address: 'days=30' }),
      ],
    },
  ]);
}

/** Returns the later of two days. */
const laterOf = (day: string, other: string): string => (day > other ? day : other);

const FIND_FIRST_VISIT = `
  SELECT viewed_at AS at
  FROM visits
  WHERE ${IS_COUNTED}
  ORDER BY viewed_at
  LIMIT 1`;
/** Sorted by the primary key: ids begin with their time (UUID v7), and the time has no index. */
const FIND_FIRST_CLICK = `
  SELECT received_at AS at
  FROM clicks
  WHERE ${IS_COUNTED}
  ORDER BY id
  LIMIT 1`;

/** Reads the day of the first visit or click of a person: 2026-01-31. Null: none has come. */
async function readFirstDay({ db, site }: ReportSource): Promise<string | null> {
  const rows = [...(await db.read(FIND_FIRST_VISIT)), ...(await db.read(FIND_FIRST_CLICK))];
  const times = rows.map(({ at }) => Number(at));
  return times.length === 0 ? null : String(dateOf(Math.min(...times), site.timeZone));
}

/**
 * Returns the totals with their changes. @param isComparable the site existed in the week before
 */
function figuresOf(report: Report, isComparable: boolean): Figure[] {
  const totals = totalsOf(report).filter(({ name }) => name !== 'Views');
  return totals.map(({ name, figure, difference, earlier }) => {
    const hasDifference = /\d/.test(difference);
    const from = hasDifference ? `${difference} from ${earlier}` : `${earlier} before`;
    const words = [figure, isComparable ? from : ''];
    const [shown = '', change = ''] = words.map((text) =>
      text.replaceAll(NOTHING, 'too few visits'),
    );
    return { name, figure: shown, change };
  });
}

/** Returns clicks and their change for the subject: `312 clicks, −2%`. */
function clicksInWords({ now }: Report, figures: readonly Figure[]): string {
  const { change = '' } = figures.find(({ name }) => name === 'Clicks') ?? {};
  const [difference] = /^[+−]?\d[\d,]*%?(?= from)/.exec(change) ?? [];
  return [plural(now.clicks, 'click'), difference].filter(Boolean).join(', ');
}

/**
 * Returns the links with the highest and the lowest click rate. With one link only, returns none.
 */
function bestAndWorst({ tables, question }: Report, { nameOf, toLine }: MailContext): Part {
  const { from, to } = question;
  const ratedLinks = tables.ref
    .filter(({ key, now }) => ![NONE, NOT_KEPT, OTHERS].includes(key) && rateOf(now) !== null)
    .sort((a, b) => (rateOf(b.now) ?? 0) - (rateOf(a.now) ?? 0));
  const lineOf = (title: string, { key, now }: (typeof ratedLinks)[number]): Line => {
    const counts = `${plural(now.rated, 'click')} from ${plural(now.visits, 'visit')}`;
    const text = `${title}: ${nameOf('ref', key)}, ${rate(now)} clicks per 100 visits (${counts})`;
    return toLine({ text, address: addressOf({ ref: key }, from, to) });
  };
  const [best, worst] = [ratedLinks.at(0), ratedLinks.at(-1)];
  const lines =
    best && worst && best !== worst ? [lineOf('Best', best), lineOf('Worst', worst)] : [];
  return { heading: `Links since ${shortDate(from)}`, lines };
}

/** Returns the team's notes about days of the week. */
const notesOf = ({ notes }: MailContext, { from, to }: Week): Line[] =>
  notes
    .filter(({ day }) => day >= from && day <= to)
    .map(({ day, note }) => ({ text: `${shortDate(day)}: ${note}` }));
