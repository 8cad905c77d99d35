/** Writes the letter of a week: its news, totals, links and notes. */
import { IS_COUNTED } from '../../clicks/counted-rows.ts';
import { HOUR_MS } from '../../time.ts';
import { dayAfter } from '../causes/counts.ts';
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

/** Hour in the team's time zone: before its work begins. */
const DUE_HOUR = 6;
/** Days of visits that alerts need before they know what is usual. */
const KNOWN_DAYS = 14;
/** In a week, few links have the visits that a rate needs. */
const LINK_DAYS = 28;

interface Week {
  /** First and last day: 2026-01-26 and 2026-02-01. */
  from: string;
  to: string;
}

/** @returns the last day that ended before the latest 06:00. @param now milliseconds since 1970 */
export const dueDay = (now: number, timeZone: string): Temporal.PlainDate =>
  dateOf(now - DUE_HOUR * HOUR_MS, timeZone).subtract({ days: 1 });

/**
 * @param now milliseconds since 1970
 * @returns first and last day of the last week that ended before the latest Monday, 06:00:
 * `2026-01-26` and `2026-02-01`
 */
export function dueWeek(now: number, timeZone: string): Week {
  const day = dueDay(now, timeZone).add({ days: 1 });
  const monday = day.subtract({ days: day.dayOfWeek - 1 });
  return { from: String(monday.subtract({ days: 7 })), to: String(monday.subtract({ days: 1 })) };
}

/** @returns null: the site had no visit until the end of the week, so it did not exist */
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
  const address = new URLSearchParams({ from, to }).toString();
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

const laterOf = (day: string, other: string): string => (day > other ? day : other);

const FIRST_VISIT = `SELECT viewed_at AS at FROM visits WHERE ${IS_COUNTED} ORDER BY viewed_at LIMIT 1`;
/** Ids rise with the time. */
const FIRST_CLICK = `SELECT received_at AS at FROM clicks WHERE ${IS_COUNTED} ORDER BY id LIMIT 1`;

/** @returns the day of the first visit or click of a person; null: none has come */
async function readFirstDay({ db, site }: ReportSource): Promise<string | null> {
  const rows = [...(await db.read(FIRST_VISIT)), ...(await db.read(FIRST_CLICK))];
  const times = rows.map(({ at }) => Number(at));
  return times.length === 0 ? null : String(dateOf(Math.min(...times), site.timeZone));
}

/** @param isComparable the site existed in the whole week before */
function figuresOf(report: Report, isComparable: boolean): Figure[] {
  const totals = totalsOf(report).filter(({ name }) => name !== 'Views');
  return totals.map(({ name, figure, difference, earlier }) => {
    const hasDifference = /\d/.test(difference);
    const from = hasDifference ? `${difference} from ${earlier}` : `${earlier} before`;
    const words = [figure, isComparable ? from : ''];
    const [shown = '', change = ''] = words.map((one) => one.replaceAll(NOTHING, 'too few visits'));
    return { name, figure: shown, change };
  });
}

function clicksInWords({ now }: Report, figures: readonly Figure[]): string {
  const { change = '' } = figures.find(({ name }) => name === 'Clicks') ?? {};
  const [difference] = /^[+−]?\d[\d,]*%?(?= from)/.exec(change) ?? [];
  return [plural(now.clicks, 'click'), difference].filter(Boolean).join(', ');
}

/** By clicks per 100 visits. One link has no other to be compared with. */
function bestAndWorst({ tables, question }: Report, { nameOf, toLine }: MailContext): Part {
  const { from, to } = question;
  const known = tables.ref
    .filter(({ key, now }) => ![NONE, NOT_KEPT, OTHERS].includes(key) && rateOf(now) !== null)
    .sort((a, b) => (rateOf(b.now) ?? 0) - (rateOf(a.now) ?? 0));
  const lineOf = (title: string, { key, now }: (typeof known)[number]): Line => {
    const counts = `${plural(now.rated, 'click')} from ${plural(now.visits, 'visit')}`;
    const text = `${title}: ${nameOf('ref', key)}, ${rate(now)} clicks per 100 visits (${counts})`;
    return toLine({ text, address: new URLSearchParams({ ref: key, from, to }).toString() });
  };
  const [best, worst] = [known.at(0), known.at(-1)];
  const lines =
    best && worst && best !== worst ? [lineOf('Best', best), lineOf('Worst', worst)] : [];
  return { heading: `Links since ${shortDate(from)}`, lines };
}

const notesOf = ({ notes }: MailContext, { from, to }: Week): Line[] =>
  notes
    .filter(({ day }) => day >= from && day <= to)
    .map(({ day, note }) => ({ text: `${shortDate(day)}: ${note}` }));
