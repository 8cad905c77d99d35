/** The question that a report answers: the period in the team's time zone, and its filters. The page's address has all of it. */
import { z } from 'zod';
import { CTA_EVENTS } from '#contract/cta.ts';
import { MAX_REFERRER } from '#contract/limits.ts';
import { HttpError } from '../http/http-error.ts';

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
    ref: z.string().max(MAX_REFERRER, `must have at most ${MAX_REFERRER} characters`).optional(),
    cta: z.enum(CTA_EVENTS, `must be one of ${CTA_EVENTS.join(', ')}`).optional(),
    share: z.literal('1', 'must be 1').optional(),
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
  const { tz = timeZone, ref = null, cta = null, share } = data;
  return {
    /** IANA's name. */
    timeZone: tz,
    /** null: all. `none`: clicks without one. */
    ref,
    /** Event of a call to action; null: all. */
    cta,
    /** Hides small figures, for a reader outside the team. */
    isShared: share === '1',
    ...periodOf(data, tz, now),
  };
}

const wrong = (faults: string) => new HttpError(400, 'validation_failed', faults);

function periodOf({ days, from, to }: z.output<typeof querySchema>, timeZone: string, now: number) {
  const today = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
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
    before: { since: startOf(first.subtract({ days: length })), until: earlier.epochMilliseconds },
    /** Dates of the period: `2026-01-31`. The last one may be today. */
    from: String(first),
    to: String(last),
    /** null: the dates were chosen. */
    days: isChosen ? null : days,
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
