/**
 * A day with a million clicks an hour. Each hour is played for some seconds at its true rate, and then the clocks move to the next
 * hour. So rates, queues and latencies are real, and the number of lines is a sample.
 */
export const DAY_CLICKS = 24_000_000;
const DAY_S = 86_400;
export const MEAN = DAY_CLICKS / DAY_S;

/** A broadcast names the site: ten times the mean rate for ten minutes. */
const BROADCAST = { hour: 8, rate: 10 * MEAN, dayS: 600, playedS: 30 };

/** Share of the visitors by hour, from midnight in New York. An estimate: few at night, most in the evening. */
const SHAPE = [
  ...[0.5, 0.3, 0.2, 0.2, 0.25, 0.4, 0.7, 1.0, 1.2, 1.2, 1.15, 1.2],
  ...[1.3, 1.25, 1.2, 1.15, 1.15, 1.2, 1.3, 1.5, 1.7, 1.6, 1.2, 0.8],
];
/** In winter. */
const NEW_YORK_FROM_UTC = -5;

export interface Segment {
  name: string;
  /** Milliseconds since 1970 in the day that is played. */
  from: number;
  /** Clicks per second. */
  rate: number;
  /** Seconds of the real run, and of the day that they stand for. */
  playedS: number;
  dayS: number;
}

/**
 * @param now milliseconds since 1970
 * @param hourS seconds for each hour
 * @returns segments from 6:00 UTC of the month's last day to 6:00 UTC of the next month, so that the month ends in the middle
 */
export function planDay(now: number, hourS: number): Segment[] {
  const start = lastDayAfter(now);
  const rest = DAY_CLICKS - BROADCAST.rate * BROADCAST.dayS;
  const sum = SHAPE.reduce((a, b) => a + b, 0);
  return Array.from({ length: 24 }, (_, i) => start + i * 3_600_000).flatMap((from) => {
    const hour = new Date(from).getUTCHours();
    const share = SHAPE[(hour + 24 + NEW_YORK_FROM_UTC) % 24] ?? 0;
    const name = `${String(hour).padStart(2, '0')}:00`;
    const usual = { name, from, rate: ((rest / 3600) * share) / sum, playedS: hourS, dayS: 3600 };
    if (hour !== BROADCAST.hour - NEW_YORK_FROM_UTC) return [usual];
    const { rate, dayS, playedS } = BROADCAST;
    return [usual, { name: 'broadcast', from: from + 1_800_000, rate, playedS, dayS }];
  });
}

/** The last day of a month that has not begun. */
function lastDayAfter(now: number): number {
  const date = new Date(now);
  for (let months = 1; ; months += 1) {
    const day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 0, 6);
    if (day > now) return day;
  }
}
