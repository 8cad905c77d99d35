/** The command line is wrong. The help text follows the message. */
export class UsageError extends Error {}

/** @throws UsageError when the value is not a whole number above zero */
export function readCount(name: string, value: string | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new UsageError(`--${name} must be a whole number above zero, not "${value}"`);
}

/** @returns milliseconds since 1970 @throws UsageError when the value is not a time */
export function readTime(name: string, value: string | undefined): number | null {
  if (value === undefined) return null;
  const time = Date.parse(value);
  if (Number.isNaN(time))
    throw new UsageError(`--${name} must be an ISO 8601 time, not "${value}"`);
  return time;
}

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * The same, or a time before now, such as 30m, 12h or 7d.
 *
 * @param now milliseconds since 1970
 */
export function readSince(value: string | undefined, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(value ?? '') ?? [];
  if (count !== undefined) return now - Number(count) * (UNITS[unit] ?? 0);
  return readTime('since', value) ?? 0;
}
