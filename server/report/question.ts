/** Reads the question that a report answers from the page's address: the period in the team's time zone, the filters and the order. */
import { z } from 'zod';
import { MAX_REFERRER } from '#contract/limits.ts';
import { toPlainText } from '#contract/log-cta.schema.ts';
import { HttpError } from '../http/http-error.ts';
import { DIMENSIONS, type Filters, WEEKDAYS } from './dimensions.ts';

/** Periods that the page offers, in days. */
export const PERIODS = [7, 30, 90];
/** Upper bound, so that no address makes the server read for minutes. */
const MAX_DAYS = 366;
const DAYS_ERROR = `must be a whole number from 1 to ${MAX_DAYS}`;

/** Milliseconds since 1970, `until` not included. */
export interface Period {
  since: number;
  until: number;
}

export type Question = ReturnType<typeof readQuestion>;

/** Dimensions that the table of sources can be grouped by. */
export const SOURCES = ['ref', 'campaign', 'class'] as const;
export const SORTS = ['clicks', 'visits', 'rate', 'change'] as const;
/** The longest value is a campaign's, of three parameters. */
const MAX_VALUE = Math.max(MAX_REFERRER, 256);
const value = z
  .string()
  .max(MAX_VALUE, `must have at most ${MAX_VALUE} characters`)
  .overwrite(toPlainText)
  .optional();
const oneOf = <const T extends string>(...values: T[]) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

const date = z.iso.date('must be a date like 2026-01-31').optional();
const querySchema = z
  .object({
    days: z.coerce
      .number(DAYS_ERROR)
      .int(DAYS_ERROR)
      .min(1, DAYS_ERROR)
      .max(MAX_DAYS, DAYS_ERROR)
      .default(30),
    from: date,
    to: date,
    tz: z.string().refine(isTimeZone, 'must be a time zone like America/New_York').optional(),
    ...{ ref: value, campaign: value, class: value, cta: value, device: value, language: value },
    weekday: oneOf(...WEEKDAYS).optional(),
    by: oneOf(...SOURCES).default('ref'),
    sort: oneOf(...SORTS).default('clicks'),
    all: oneOf('1').optional(),
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), {
    path: ['to'],
    error: 'must be set together with from',
  });

/**
 * Reads the fields of a form or of the command line. An empty one counts as absent.
 *
 * @param now milliseconds since 1970
 * @throws HttpError 400 that names each wrong field
 */
export function readQuestion(fields: Record<string, unknown>, timeZone: string, now: number) {
  const given = Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));
  const { data, error } = querySchema.safeParse(given);
  if (!data) {
    const faults = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw wrong(faults.join('\n'));
  }
  const { tz = timeZone, by, sort, all } = data;
  const filters: Filters = {};
  for (const name of DIMENSIONS) if (data[name] !== undefined) filters[name] = data[name];
  return {
    /** IANA's name. */
    timeZone: tz,
    /** `none`: rows without the value. */
    filters,
    /** Of the table of sources. */
    ...{ by, sort },
    /** Whether the table of sources has all rows. */
    isWhole: all === '1',
    /** Hides small figures, for a reader outside the team. */
    isShared: false,
    /** Months that such a reader can choose: `2026-01`. */
    months: [] as string[],
    ...periodOf(data, tz, now),
  };
}

/** The months before the present one that a reader outside the team can choose. */
const SHARED_MONTHS = 6;

/**
 * Reads the question of a reader outside the team: a whole month of one link. Months do not overlap, so no figure is the difference
 * of two others, and none changes while a visitor presses.
 *
 * @throws HttpError 400 that names the months
 */
export function readSharedQuestion(month: unknown, ref: string, timeZone: string, now: number) {
  const present = dateOf(now, timeZone).toPlainYearMonth();
  const months = Array.from({ length: SHARED_MONTHS }, (_, i) =>
    String(present.subtract({ months: i + 1 })),
  );
  const chosen = months.find((one) => one === (month ?? months[0]));
  if (!chosen) throw wrong(`month must be one of ${months.join(', ')}`);
  const first = Temporal.PlainYearMonth.from(chosen).toPlainDate({ day: 1 });
  const fields = {
    from: String(first),
    to: String(first.add({ months: 1 }).subtract({ days: 1 })),
  };
  return { ...readQuestion({ ...fields, ref }, timeZone, now), isShared: true, months };
}

export const dateOf = (ms: number, timeZone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();

const wrong = (faults: string) => new HttpError(400, 'validation_failed', faults);

function periodOf({ days, from, to }: z.output<typeof querySchema>, timeZone: string, now: number) {
  const today = dateOf(now, timeZone);
  const isChosen = from !== undefined && to !== undefined;
  const first = isChosen ? Temporal.PlainDate.from(from) : today.subtract({ days: days - 1 });
  const last = isChosen ? Temporal.PlainDate.from(to) : today;
  const length = first.until(last).days + 1;
  if (length < 1 || length > MAX_DAYS)
    throw wrong(`to must be on or after from, and at most ${MAX_DAYS} days`);
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  const until = Math.min(startOf(last.add({ days: 1 })), Math.max(now, startOf(first)));
  const earlier = Temporal.Instant.fromEpochMilliseconds(until)
    .toZonedDateTimeISO(timeZone)
    .subtract({ days: length });
  return {
    period: { since: startOf(first), until } satisfies Period,
    /** Of the same length, and ends at the same time of day. */
    before: {
      since: startOf(first.subtract({ days: length })),
      until: Math.min(earlier.epochMilliseconds, startOf(first)),
    },
    /** Dates of the period: `2026-01-31`. The last one may be today. */
    from: String(first),
    to: String(last),
    /** null: the dates were chosen. */
    days: isChosen ? null : days,
    /** In days. */
    length,
  };
}

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
