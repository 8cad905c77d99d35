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
import type { Refusals } from './refusals.ts';
import type { Reserve } from './reserve.ts';

const KINDS = ['visits', 'events', 'registrations'] as const;
type Kind = (typeof KINDS)[number];
/** What a request would add. A page view is a visit's row and an event. */
type RowsByKind = Partial<Record<Kind, readonly object[]>>;

interface Amount {
  rows: number;
  /** Of the rows as JSON. The database takes about twice as many. */
  bytes: number;
}

/**
 * Rows as multiples of RATE_LIMIT, which is 600 by default. A hospital with 2,000 visits a day
 * behind one address makes up to 3 page views and 15 events a visit.
 */
const MULTIPLES: Record<Kind, { rowBytes: number; minute: number; day: number; all: number }> = {
  visits: { rowBytes: 1024, minute: 1 / 5, day: 10, all: 500 },
  events: { rowBytes: 2048, minute: 2, day: 50, all: 500 },
  registrations: { rowBytes: 2048, minute: 1 / 30, day: 1 / 3, all: 30 },
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
  /** Counts what has no room in a budget. */
  refusals?: Pick<Refusals, 'note'> | undefined;
  now?: Clock | undefined;
  mostAddresses?: number | undefined;
}

export type Budgets = ReturnType<typeof createBudgets>;

export function createBudgets(options: Options) {
  const { limit, reserve, log, refusals, now = Date.now, mostAddresses } = options;
  const ledgerOf = (kind: Kind) => createLedger(kind, { limit, log, now, mostAddresses });
  const ledgers = {
    visits: ledgerOf('visits'),
    events: ledgerOf('events'),
    registrations: ledgerOf('registrations'),
  };
  return {
    /**
     * Counts the rows of a request before they are stored.
     *
     * @throws (rejects with) HttpError 503 if a budget has no room for all of them, or if the disk
     * has room only for clicks. Nothing is counted then in any budget, and nothing may be stored
     */
    async spend(ip: string, rowsByKind: RowsByKind): Promise<void> {
      const kinds = KINDS.filter((kind) => rowsByKind[kind]?.length);
      if (kinds.length === 0) return;
      await reserve.check();
      if (limit === 0) return;
      const address = rateLimitKey(ip);
      try {
        const spending = kinds.map((kind) => {
          const rows = rowsByKind[kind] ?? [];
          const bytes = Buffer.byteLength(JSON.stringify(rows));
          return ledgers[kind].reserve(address, { rows: rows.length, bytes });
        });
        for (const spend of spending) spend();
      } catch (cause) {
        refusals?.note('budget');
        throw cause;
      }
    },
    /** Sentences for operators. */
    async reasons(): Promise<string[]> {
      const whyOnlyClicks = await reserve.whyOnlyClicks();
      const usedUp = Object.values(ledgers).flatMap((ledger) => ledger.whyUsedUp() ?? []);
      return whyOnlyClicks === null ? usedUp : [whyOnlyClicks, ...usedUp];
    },
  };
}

/** What an address has added in its newest minute, and on this day. */
interface OfAddress {
  minute: number;
  ofMinute: Amount;
  ofDay: Amount;
}

type LedgerOptions = Omit<Options, 'reserve' | 'refusals'> & { now: Clock };

/** Counts one kind of rows. */
function createLedger(kind: Kind, { limit, log, now, mostAddresses }: LedgerOptions) {
  const { rowBytes, ...multiples } = MULTIPLES[kind];
  const amountOf = (multiple: number): Amount => {
    const rows = Math.ceil(limit * multiple);
    return { rows, bytes: rows * rowBytes };
  };
  const ofMinute = amountOf(multiples.minute);
  const ofDay = amountOf(multiples.day);
  const ofAll = amountOf(multiples.all);
  const addresses = new Map<string, OfAddress>();
  let day = 0;
  let all = nothing();
  let isUsedUp = false;

  const beginDay = (today: number) => {
    day = today;
    all = nothing();
    isUsedUp = false;
    addresses.clear();
  };
  const noteUsedUp = () => {
    if (!isUsedUp) log.warn(describeUsedUp(kind));
    isUsedUp = true;
  };
  return {
    /**
     * Checks that there is room.
     *
     * @returns a function that counts the rows
     * @throws HttpError 503
     */
    reserve(address: string, more: Amount): () => void {
      const at = now();
      if (Math.floor(at / DAY_MS) !== day) beginDay(Math.floor(at / DAY_MS));
      const own = entryOf(addresses, address, Math.floor(at / MINUTE_MS));
      forgetOldest(addresses, mostAddresses);
      if (!fits(own.ofMinute, more, ofMinute)) throw tooMany(kind, 'this address', at, MINUTE_MS);
      if (!fits(own.ofDay, more, ofDay)) throw tooMany(kind, 'this address', at, DAY_MS);
      if (!fits(all, more, ofAll)) {
        noteUsedUp();
        throw tooMany(kind, 'all addresses', at, DAY_MS);
      }
      return () => {
        for (const spent of [own.ofMinute, own.ofDay, all]) add(spent, more);
      };
    },
    /** Null while others may still add rows today. */
    whyUsedUp: (): string | null =>
      isUsedUp && Math.floor(now() / DAY_MS) === day ? describeUsedUp(kind) : null,
  };
}

const nothing = (): Amount => ({ rows: 0, bytes: 0 });

const fits = (spent: Amount, more: Amount, most: Amount): boolean =>
  spent.rows + more.rows <= most.rows && spent.bytes + more.bytes <= most.bytes;

function add(spent: Amount, more: Amount): void {
  spent.rows += more.rows;
  spent.bytes += more.bytes;
}

/** Finds the counts of an address, and puts them behind those of all others. */
function entryOf(addresses: Map<string, OfAddress>, address: string, minute: number): OfAddress {
  const known = addresses.get(address);
  const entry = known ?? { minute, ofMinute: nothing(), ofDay: nothing() };
  if (entry.minute !== minute) {
    entry.minute = minute;
    entry.ofMinute = nothing();
  }
  addresses.delete(address);
  addresses.set(address, entry);
  return entry;
}

function forgetOldest(addresses: Map<string, OfAddress>, most = MOST_ADDRESSES): void {
  if (addresses.size <= most) return;
  const [oldest] = addresses.keys();
  if (oldest !== undefined) addresses.delete(oldest);
}

/** Makes the answer: to be sent again after the end of the minute or of the day. */
function tooMany(kind: Kind, from: string, at: number, windowMs: number) {
  const retryAfterS = Math.ceil((windowMs - (at % windowMs)) / SECOND_MS);
  return unavailable(`Too many ${kind} from ${from}. Try again later.`, retryAfterS);
}

const describeUsedUp = (kind: Kind) =>
  `The ${kind} of all addresses have used up the budget of the day. Further ones get 503 until midnight (UTC). RATE_LIMIT sets the budgets.`;
