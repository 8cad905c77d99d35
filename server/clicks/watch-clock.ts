/**
 * Whether the server's clock may be wrong. Ids of clicks begin with the time of the browser's
 * clock, and hundreds of browsers are right more often than one server is.
 */
import type { Logger } from 'pino';
import { rateLimitKey } from '../http/address.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '../time.ts';

/** Where the time of an id lies: within the bounds around the server's time, after or before. */
export type IdAge = 'valid' | 'ahead' | 'too_old';

/**
 * The clock is in doubt only if ids out of bounds came from so many addresses: one visitor with a
 * wrong clock proves nothing.
 */
const LEAST_ADDRESSES = 10;
/** Upper bound of the remembered addresses of a minute, because a stranger may have many. */
const MOST_ADDRESSES = 20;

interface Minute {
  valid: number;
  ahead: number;
  too_old: number;
  addresses: Set<string>;
}

interface Options {
  log: Pick<Logger, 'error' | 'info'>;
  /** Milliseconds since the start. The time of day is what is in doubt. */
  uptime?: Clock | undefined;
}

export type ClockWatch = ReturnType<typeof watchClock>;

export function watchClock({ log, uptime = () => performance.now() }: Options) {
  /** The minutes of the last hour in which clicks came, by their number since the start. */
  const minutes = new Map<number, Minute>();
  let wasInDoubt = false;
  /** The time of day at the last click, by the server's clock. */
  let lastClickAt = 0;

  const readHour = () => {
    const first = Math.floor((uptime() - HOUR_MS) / MINUTE_MS) + 1;
    const hour: Minute = { valid: 0, ahead: 0, too_old: 0, addresses: new Set() };
    for (const [number, minute] of minutes) {
      if (number < first) {
        minutes.delete(number);
        continue;
      }
      hour.valid += minute.valid;
      hour.ahead += minute.ahead;
      hour.too_old += minute.too_old;
      for (const address of minute.addresses) hour.addresses.add(address);
    }
    return hour;
  };
  const isInDoubt = ({ valid, ahead, too_old, addresses }: Minute) =>
    addresses.size >= LEAST_ADDRESSES && ahead + too_old > valid;
  const warning = (): string | null => {
    const hour = readHour();
    return isInDoubt(hour) ? describe(hour, lastClickAt) : null;
  };

  return {
    /**
     * Notes a click with an id.
     *
     * @param address from which it came
     * @param now the time of day, by the server's clock
     */
    note(age: IdAge, address: string, now: number): void {
      lastClickAt = now;
      const number = Math.floor(uptime() / MINUTE_MS);
      const minute = minutes.get(number) ?? {
        valid: 0,
        ahead: 0,
        too_old: 0,
        addresses: new Set(),
      };
      minutes.set(number, minute);
      minute[age] += 1;
      if (age !== 'valid' && minute.addresses.size < MOST_ADDRESSES)
        minute.addresses.add(rateLimitKey(address));
    },
    /** Whether most ids of the last hour are out of bounds. Logs each change. */
    isInDoubt(): boolean {
      const text = warning();
      if (text && !wasInDoubt) log.error(text);
      if (!text && wasInDoubt) log.info("The server's clock agrees with most browsers again");
      wasInDoubt = text !== null;
      return wasInDoubt;
    },
    /** A sentence for operators while the clock is in doubt. */
    warning,
  };
}

function describe({ valid, ahead, too_old }: Minute, lastClickAt: number): string {
  const wrong = ahead + too_old;
  const seems = ahead > too_old ? 'behind' : 'ahead';
  return `The server's clock seems to be ${seems}: it says ${new Date(lastClickAt).toISOString()}, and ${wrong} of ${wrong + valid} clicks of the last hour have ids of another time. Such clicks get 503 (clock_in_doubt), and browsers keep them. Set the clock.`;
}
