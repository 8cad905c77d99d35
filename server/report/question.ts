/**
 * Reads the question that a report answers from the parameters of the page's address: the period in
 * the team's time zone, the filters, and the order of rows.
 */
import { z } from 'zod';
import { isTimeZone } from '#contract/built-site.schema.ts';
import { foldCampaign } from '#contract/campaign.ts';
import { toPlainText } from '#contract/click-fields.schema.ts';
import { refKey } from '#contract/ref.ts';
import { HttpError } from '../http/http-error.ts';
import { type Filters, NOT_KEPT, WEEKDAYS } from './figures/selection.ts';

/** Lengths of the periods that the page offers, in days. */
export const PERIODS = [7, 30, 90];
/** Upper bound for a period, so that no address makes the server read for minutes. */
const MAX_DAYS = 366;
const isLength = (days: number) => Number.isInteger(days) && days >= 1 && days <= MAX_DAYS;
const DAYS_ERROR = `must be a whole number from 1 to ${MAX_DAYS}`;

export type Question = ReturnType<typeof readQuestion>;

/** Dimensions that the table of sources can be grouped by. */
export const SOURCE_DIMENSIONS = ['ref', 'source', 'medium', 'campaign', 'class', 'site'] as const;
/** Upper bound for the characters of a filter. */
const MAX_VALUE = 256;
const value = z
  .string()
  .max(MAX_VALUE, `must have at most ${MAX_VALUE} characters`)
  .overwrite(toPlainText)
  .optional();
/** Convert a ref and a campaign as clicks are stored, because a reader may type any spelling. */
const refValue = value.overwrite((ref) => ref && (refKey(ref) || NOT_KEPT));
const campaignValue = value.overwrite((text) => text && (foldCampaign(text) || NOT_KEPT));
const oneOf = <const T extends string>(...values: T[]) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

const date = z.iso.date('must be a date like 2026-01-31').optional();
const querySchema = z
  .object({
    days: z.coerce.number(DAYS_ERROR).refine(isLength, DAYS_ERROR).default(30),
    from: date,
    to: date,
    tz: z.string().refine(isTimeZone, 'must be a time zone like America/New_York').optional(),
    ref: refValue,
    source: campaignValue,
    medium: campaignValue,
    campaign: campaignValue,
    class: value,
    site: value,
    cta: value,
    device: value,
    language: value,
    weekday: oneOf(...WEEKDAYS).optional(),
    /** With which period the report compares. Default: the days before. `before` overrides it. */
    compare: oneOf('weekdays', 'year').optional(),
    /** First day of the period that the report compares with. */
    before: date,
    by: oneOf(...SOURCE_DIMENSIONS).optional(),
    sort: oneOf('clicks', 'visits', 'rate', 'change').optional(),
    all: oneOf('1').optional(),
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), {
    path: ['to'],
    error: 'must be set together with from',
  });

/**
 * Reads the parameters of an address or the options of the command line. An empty one counts as
 * absent.
 *
 * @param timeZone the team's, if the parameter `tz` is absent
 * @param now milliseconds since 1970
 * @throws HttpError 400 that names each wrong parameter. It has `fields` if a date does not fit the
 * others
 */
export function readQuestion(fields: Record<string, unknown>, timeZone: string, now: number) {
  const presentFields = Object.fromEntries(
    Object.entries(fields).filter(([, text]) => text !== ''),
  );
  const { data, error } = querySchema.safeParse(presentFields, {
    error: () => 'must have one value',
  });
  if (!data) {
    const faults = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new HttpError(400, 'validation_failed', faults.join('\n'));
  }
  const { days, from, to, tz = timeZone, by, sort, all, compare, before, ...filters } = data;
  const dates = from === undefined ? { days: String(days) } : { from, to };
  const last = Temporal.PlainDate.from(to ?? dateOf(now, tz));
  const first = Temporal.PlainDate.from(from ?? last.subtract({ days: days - 1 }));
  const length = first.until(last).days + 1;
  if (!isLength(length)) {
    const fault = `must be on or after the first day, ${MAX_DAYS} days in all at most`;
    throw new HttpError(400, 'validation_failed', `to ${fault}`, {
      fields: { to: `It ${fault}.` },
    });
  }
  const shift = shiftOf(first, length, { compare, before, weekday: filters.weekday });
  return {
    /** IANA's name of the time zone: America/New_York. */
    timeZone: tz,
    /** Filters by dimension. The value `none` selects rows without a value. */
    filters: filters as Filters,
    /** Dimension by which the table of sources is grouped. */
    by: by ?? 'ref',
    sort: sort ?? 'clicks',
    /** Parameters of the page's address, which all links of the page keep. */
    parameters: { ...dates, tz, ...filters, by, sort, all, compare, before },
    /** Whether the table of sources shows all rows, and not only the first ones. */
    isWhole: all === '1',
    /** Whether the reader is outside the team, so that small figures are hidden. */
    isShared: false,
    ...periodsOf(first, { length, shift }, tz, now),
    /** First and last day of the period: `2026-01-31`. The last one may be today. */
    from: String(first),
    to: String(last),
    /** Chosen number of days until today. null: dates were chosen. */
    days: from === undefined ? days : null,
    /** Length of the period, in days. */
    length,
    /** Days from the first day of the compared period to that of this period. */
    shift,
    /** Chosen comparison. undefined: the days before, or `comparedFrom`. */
    compare,
    /** The chosen first day of the compared period; undefined: it follows from the period. */
    comparedFrom: before,
  };
}

/**
 * Days of a year in whole weeks: a day so long ago has the same weekday and nearly the same date.
 */
const YEAR_DAYS = 52 * 7;

const toWholeWeeks = (days: number): number => 7 * Math.ceil(days / 7);

/** Parameters of the address that decide which period is compared. */
interface Comparison {
  compare: 'weekdays' | 'year' | undefined;
  before: string | undefined;
  weekday: string | undefined;
}

/**
 * Returns by how many days the compared period is earlier. With the filter of a weekday these are
 * whole weeks, because otherwise one of the periods could have more Mondays.
 *
 * @throws HttpError 400 if the two periods would have days in common
 */
function shiftOf(
  first: Temporal.PlainDate,
  length: number,
  { compare, before, weekday }: Comparison,
): number {
  if (before !== undefined) {
    const days = Temporal.PlainDate.from(before).until(first).days;
    const fault = `must be at least ${length} days before the first day`;
    if (days < length)
      throw new HttpError(400, 'validation_failed', `before ${fault}`, {
        fields: { before: `It ${fault}.` },
      });
    return weekday ? toWholeWeeks(days) : days;
  }
  if (compare === 'year') return Math.max(YEAR_DAYS, toWholeWeeks(length));
  return compare === 'weekdays' || weekday ? toWholeWeeks(length) : length;
}

/**
 * Makes the question of a reader outside the team: the last whole month of one link. Periods that
 * overlap would let the reader subtract figures, and a month that goes on would show single
 * presses.
 */
export function sharedQuestion(ref: string, timeZone: string, now: number): Question {
  const first = dateOf(now, timeZone).with({ day: 1 }).subtract({ months: 1 });
  const last = first.add({ months: 1 }).subtract({ days: 1 });
  const fields = { from: String(first), to: String(last), ref, all: '1' };
  return { ...readQuestion(fields, timeZone, now), isShared: true };
}

/** Returns the local time of a time in milliseconds since 1970. */
export const dateTimeOf = (ms: number, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);

/** Returns the local date of a time in milliseconds since 1970. */
export const dateOf = (ms: number, timeZone: string): Temporal.PlainDate =>
  dateTimeOf(ms, timeZone).toPlainDate();

/**
 * Converts both periods into milliseconds since 1970.
 *
 * @param length in days, like `shift`
 * @param now the period ends then, if it has not ended before
 */
function periodsOf(
  first: Temporal.PlainDate,
  { length, shift }: { length: number; shift: number },
  timeZone: string,
  now: number,
) {
  const startOf = (days: number) => first.add({ days }).toZonedDateTime(timeZone).epochMilliseconds;
  const since = startOf(0);
  const end = dateTimeOf(Math.min(startOf(length), Math.max(now, since)), timeZone);
  const endBefore = end.subtract({ days: shift }).epochMilliseconds;
  return {
    /** The period in milliseconds since 1970. `until` is not included. */
    period: { since, until: end.epochMilliseconds },
    /** The compared period. It ends at the same time of day, so that today is compared fairly. */
    // Where clocks change at midnight, a day may begin at 01:00, and `endBefore` is too late.
    before: { since: startOf(-shift), until: Math.min(endBefore, since) },
  };
}
