/**
 * What strangers may add to the database: visits, events and registrations, in rows and bytes, for
 * each address a minute and a day, and for all addresses a day (UTC). SECURITY.md has the
 * arithmetic. The counts are in memory: each server has its own, and a start begins at 0. Clicks
 * have only their rate limit, and room on the disk that nothing else may take (reserve.ts).
 */
import type { Logger } from 'pino';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import { rateLimitKey } from './address.ts';
import { unavailable } from './http-error.ts';
import type { Reserve } from './reserve.ts';

type Kind = 'visits' | 'events' | 'registrations';

interface Amount {
  rows: number;
  /** Of the rows as JSON. The database takes about twice as many. */
  bytes: number;
}

/**
 * Rows as multiples of RATE_LIMIT, which is 600 by default. A hospital with 2,000 visits a day
 * behind one address makes up to 3 page views and 15 events a visit.
 */
const MULTIPLES: Record<
  Kind,
  { rowBytes: number; minute: number; day: number; spentByAll: number }
> = {
  visits: { rowBytes: 1024, minute: 1 / 5, day: 10, spentByAll: 500 },
  events: { rowBytes: 2048, minute: 2, day: 50, spentByAll: 500 },
  registrations: { rowBytes: 2048, minute: 1 / 30, day: 1 / 3, spentByAll: 30 },
};

/**
 * Addresses of which the counts are kept. Beyond it, those that have sent nothing for the longest
 * time are forgotten.
 */
const MOST_ADDRESSES = 50_000;

interface Options {
  /** RATE_LIMIT; 0: unlimited. */
  limit: number;
  reserve: Reserve;
  log: Pick<Logger, 'warn'>;
  now?: Clock | undefined;
  mostAddresses?: number | undefined;
}

export type Budgets = ReturnType<typeof createBudgets>;

export function createBudgets({ limit, reserve, log, now = Date.now, mostAddresses }: Options) {
  const budgetOf = (kind: Kind) => createBudget(kind, { limit, log, now, mostAddresses });
  const budgets = {
    visits: budgetOf('visits'),
    events: budgetOf('events'),
    registrations: budgetOf('registrations'),
  };
  return {
    /**
     * Counts rows before they are stored.
     *
     * @throws (rejects with) HttpError 503 if a budget has no room for all of them, or if the disk
     * has room only for clicks. Nothing is counted then, and nothing may be stored
     */
    async spend(kind: Kind, ip: string, rows: readonly object[]): Promise<void> {
      if (rows.length === 0) return;
      await reserve.check();
      if (limit === 0) return;
      const bytes = Buffer.byteLength(JSON.stringify(rows));
      budgets[kind].spend(rateLimitKey(ip), { rows: rows.length, bytes });
    },
    /** Sentences for operators. */
    async reasons(): Promise<string[]> {
      const whyOnlyClicks = await reserve.whyOnlyClicks();
      const usedUp = Object.values(budgets).flatMap((ledger) => ledger.whyUsedUp() ?? []);
      return whyOnlyClicks === null ? usedUp : [whyOnlyClicks, ...usedUp];
    },
  };
}

/** What an address has added in its newest minute, and on this day. */
interface AddressCounts {
  minute: number;
  minuteLimit: Amount;
  ofDay: Amount;
}

type BudgetOptions = Omit<Options, 'reserve'> & { now: Clock };

/** Counts one kind of rows. */
function createBudget(kind: Kind, { limit, log, now, mostAddresses }: BudgetOptions) {
  const { rowBytes, ...multiples } = MULTIPLES[kind];
  const amountOf = (multiple: number): Amount => {
    const rows = Math.ceil(limit * multiple);
    return { rows, bytes: rows * rowBytes };
  };
  const ofMinute = amountOf(multiples.minute);
  const ofDay = amountOf(multiples.day);
  const ofAll = amountOf(multiples.spentByAll);
  const addresses = new Map<string, AddressCounts>();
  let day = 0;
  let all = zeroAmount();
  let isUsedUp = false;

  const beginDay = (today: number) => {
    day = today;
    all = zeroAmount();
    isUsedUp = false;
    addresses.clear();
  };
  const noteUsedUp = () => {
    if (!isUsedUp) log.warn(describeUsedUp(kind));
    isUsedUp = true;
  };
  return {
    /** @throws HttpError 503 */
    spend(address: string, more: Amount): void {
      const at = now();
      if (Math.floor(at / DAY_MS) !== day) beginDay(Math.floor(at / DAY_MS));
      const own = countsOfAddress(addresses, address, Math.floor(at / MINUTE_MS));
      forgetOldest(addresses, mostAddresses);
      if (!fits(own.minuteLimit, more, ofMinute))
        throw makeOverBudgetError(kind, 'this address', at, MINUTE_MS);
      if (!fits(own.ofDay, more, ofDay))
        throw makeOverBudgetError(kind, 'this address', at, DAY_MS);
      if (!fits(all, more, ofAll)) {
        noteUsedUp();
        throw makeOverBudgetError(kind, 'all addresses', at, DAY_MS);
      }
      for (const spent of [own.minuteLimit, own.ofDay, all]) add(spent, more);
    },
    /** Null while others may still add rows today. */
    whyUsedUp: (): string | null =>
      isUsedUp && Math.floor(now() / DAY_MS) === day ? describeUsedUp(kind) : null,
  };
}

const zeroAmount = (): Amount => ({ rows: 0, bytes: 0 });

const fits = (spent: Amount, more: Amount, most: Amount): boolean =>
  spent.rows + more.rows <= most.rows && spent.bytes + more.bytes <= most.bytes;

function add(spent: Amount, more: Amount): void {
  spent.rows += more.rows;
  spent.bytes += more.bytes;
}

/** Finds the counts of an address, and puts them behind those of all others. */
function countsOfAddress(
  addresses: Map<string, AddressCounts>,
  address: string,
  minute: number,
): AddressCounts {
  const known = addresses.get(address);
  const entry = known ?? { minute, minuteLimit: zeroAmount(), ofDay: zeroAmount() };
  if (entry.minute !== minute) {
    entry.minute = minute;
    entry.minuteLimit = zeroAmount();
  }
  addresses.delete(address);
  addresses.set(address, entry);
  return entry;
}

function forgetOldest(addresses: Map<string, AddressCounts>, most = MOST_ADDRESSES): void {
  if (addresses.size <= most) return;
  const [oldest] = addresses.keys();
  if (oldest !== undefined) addresses.delete(oldest);
}

/** Makes the answer: to be sent again after the end of the minute or of the day. */
function makeOverBudgetError(kind: Kind, from: string, at: number, windowMs: number) {
  const retryAfterS = Math.ceil((windowMs - (at % windowMs)) / SECOND_MS);
  return unavailable(`Too many ${kind} from ${from}. Try again later.`, retryAfterS);
}

const describeUsedUp = (kind: Kind) =>
  `The ${kind} of all addresses have used up the budget of the day. Further ones get 503 until midnight (UTC). RATE_LIMIT sets the budgets.`;
