/**
 * Detects that the server's clock is wrong. Ids of clicks begin with the time of the browser's
 * clock, and hundreds of browsers are more often right than one server.
 */
import type { Logger } from 'pino';
import { rateLimitKey } from '../http/address.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '../time.ts';

/** How the time in an id compares with the server's clock: plausible, too far ahead, or too old. */
export type IdAge = 'valid' | 'ahead' | 'too_old';

/**
 * Lower bound for the addresses that send implausible ids, before the clock is in doubt. One
 * visitor with a wrong clock proves nothing.
 */
const MIN_ADDRESSES = 10;
/**
 * Upper bound for the addresses that are remembered for a minute, because a stranger may have many.
 */
const MAX_ADDRESSES = 20;

/** The ids of a minute, or of an hour, and the addresses that sent implausible ones. */
interface IdCounts {
  valid: number;
  ahead: number;
  too_old: number;
  addresses: Set<string>;
}

interface Options {
  log: Pick<Logger, 'error' | 'info'>;
  /**
   * Milliseconds since the process started. The time of day cannot be used, because it is what is
   * in doubt.
   */
  uptime?: Clock | undefined;
}

export type ClockWatch = ReturnType<typeof watchClock>;

export function watchClock({ log, uptime = () => performance.now() }: Options) {
  /** Counts of each minute of the last hour, by the minute's number since the start. */
  const minutes = new Map<number, IdCounts>();
  let wasInDoubt = false;
  /** The time of day at the last click, by the server's clock. */
  let lastClickAt = 0;

  /** Adds up the last hour, and forgets older minutes. */
  const readHour = () => {
    const firstMinute = Math.floor((uptime() - HOUR_MS) / MINUTE_MS) + 1;
    const lastHour: IdCounts = { valid: 0, ahead: 0, too_old: 0, addresses: new Set() };
    for (const [number, minute] of minutes) {
      if (number < firstMinute) {
        minutes.delete(number);
        continue;
      }
      lastHour.valid += minute.valid;
      lastHour.ahead += minute.ahead;
      lastHour.too_old += minute.too_old;
      for (const address of minute.addresses) lastHour.addresses.add(address);
    }
    return lastHour;
  };
  const isInDoubt = ({ valid, ahead, too_old, addresses }: IdCounts) =>
    addresses.size >= MIN_ADDRESSES && ahead + too_old > valid;
  const warning = (): string | null => {
    const hour = readHour();
    return isInDoubt(hour) ? describeDoubt(hour, lastClickAt) : null;
  };

  return {
    /**
     * Counts the id of a click.
     *
     * @param address the client's address
     * @param now the server's time of day, in milliseconds since 1970
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
      if (age !== 'valid' && minute.addresses.size < MAX_ADDRESSES)
        minute.addresses.add(rateLimitKey(address));
    },
    /** Whether most ids of the last hour are implausible. Logs when that changes. */
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

function describeDoubt({ valid, ahead, too_old }: IdCounts, lastClickAt: number): string {
  const implausible = ahead + too_old;
  const direction = ahead > too_old ? 'behind' : 'ahead';
  return `The server's clock seems to be ${direction}: it says ${new Date(lastClickAt).toISOString()}, and ${implausible} of ${implausible + valid} clicks of the last hour have ids of another time. Such clicks get 503 (clock_in_doubt), and browsers keep them. Set the clock.`;
}
