/**
 * Budgets: how many visits, events and registrations strangers may add to the database, in rows and
 * bytes. There is a budget for each address (a minute and a day) and one for all addresses (a day
 * in UTC). SECURITY.md has the arithmetic. The counts are in memory: each server has its own, and a
 * restart begins at 0. Clicks have no budget, only a rate limit and reserved disk space
 * (reserve.ts).
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
  /** Size of the rows as JSON. In the database they take about twice as much. */
  bytes: number;
}

/**
 * The budgets in rows, as multiples of RATE_LIMIT, which is 600 by default. `minute` and `day` are
 * for one address, and `all` is for all addresses a day. The numbers allow a hospital with 2,000
 * visits a day behind one address, and up to 3 page views and 15 events a visit. `rowBytes` is the
 * average size that a row may have.
 */
const MULTIPLES: Record<Kind, { rowBytes: number; minute: number; day: number; all: number }> = {
  visits: { rowBytes: 1024, minute: 1 / 5, day: 10, all: 500 },
  events: { rowBytes: 2048, minute: 2, day: 50, all: 500 },
  registrations: { rowBytes: 2048, minute: 1 / 30, day: 1 / 3, all: 30 },
};

/**
 * Upper bound for the addresses whose counts are kept. Beyond it, the least recently used address
 * is forgotten.
 */
const MAX_ADDRESSES = 50_000;

interface Options {
  /** The setting RATE_LIMIT; 0: there are no budgets. */
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
  const budgetOf = (kind: Kind) => createBudget(kind, { limit, log, now, mostAddresses });
  const budgets = {
    visits: budgetOf('visits'),
    events: budgetOf('events'),
    registrations: budgetOf('registrations'),
  };
  return {
    /**
     * Counts the rows of a request against the budgets. Call it before the rows are stored.
     *
     * @param ip the client's address
     * @throws (rejects with) HttpError 503 if a budget is exceeded, or if the free disk space is
     * reserved for clicks. Then nothing is counted in any budget, and the caller must store nothing
     */
    async spend(ip: string, rowsByKind: RowsByKind): Promise<void> {
      const kinds = KINDS.filter((kind) => rowsByKind[kind]?.length);
      if (kinds.length === 0) return;
      await reserve.check();
      if (limit === 0) return;
      const address = rateLimitKey(ip);
      try {
        const reservations = kinds.map((kind) => {
          const rows = rowsByKind[kind] ?? [];
          const bytes = Buffer.byteLength(JSON.stringify(rows));
          return budgets[kind].reserve(address, { rows: rows.length, bytes });
        });
        for (const spend of reservations) spend();
      } catch (cause) {
        refusals?.note('budget');
        throw cause;
      }
    },
    /**
     * Returns a sentence for operators about each budget of all addresses that is used up, and
     * about a full disk.
     */
    async reasons(): Promise<string[]> {
      const whyOnlyClicks = await reserve.whyOnlyClicks();
      const usedUpBudgets = Object.values(budgets).flatMap((budget) => budget.whyUsedUp() ?? []);
      return whyOnlyClicks === null ? usedUpBudgets : [whyOnlyClicks, ...usedUpBudgets];
    },
  };
}

/** What an address has added in its latest minute, and today. */
interface AddressCounts {
  minute: number;
  spentInMinute: Amount;
  spentInDay: Amount;
}

type BudgetOptions = Omit<Options, 'reserve' | 'refusals'> & { now: Clock };

/** Creates the budgets of one kind of rows. */
function createBudget(kind: Kind, { limit, log, now, mostAddresses }: BudgetOptions) {
  const { rowBytes, ...multiples } = MULTIPLES[kind];
  const amountOf = (multiple: number): Amount => {
    const rows = Math.ceil(limit * multiple);
    return { rows, bytes: rows * rowBytes };
  };
  const minuteLimit = amountOf(multiples.minute);
  const dayLimit = amountOf(multiples.day);
  const totalLimit = amountOf(multiples.all);
  const addresses = new Map<string, AddressCounts>();
  let day = 0;
  let spentByAll = zeroAmount();
  let isUsedUp = false;

  const beginDay = (today: number) => {
    day = today;
    spentByAll = zeroAmount();
    isUsedUp = false;
    addresses.clear();
  };
  const noteUsedUp = () => {
    if (!isUsedUp) log.warn(describeUsedUp(kind));
    isUsedUp = true;
  };
  return {
    /**
     * Checks that the budgets have room for more rows of an address.
     *
     * @returns a function that counts the rows
     * @throws HttpError 503 if a budget would be exceeded
     */
    reserve(address: string, more: Amount): () => void {
      const at = now();
      if (Math.floor(at / DAY_MS) !== day) beginDay(Math.floor(at / DAY_MS));
      const own = countsOfAddress(addresses, address, Math.floor(at / MINUTE_MS));
      forgetOldest(addresses, mostAddresses);
      if (!isWithin(own.spentInMinute, more, minuteLimit))
        throw makeOverBudgetError(kind, 'this address', at, MINUTE_MS);
      if (!isWithin(own.spentInDay, more, dayLimit))
        throw makeOverBudgetError(kind, 'this address', at, DAY_MS);
      if (!isWithin(spentByAll, more, totalLimit)) {
        noteUsedUp();
        throw makeOverBudgetError(kind, 'all addresses', at, DAY_MS);
      }
      return () => {
        for (const spent of [own.spentInMinute, own.spentInDay, spentByAll]) add(spent, more);
      };
    },
    /**
     * Returns a sentence for operators if the day's budget of all addresses is used up, otherwise
     * null.
     */
    whyUsedUp: (): string | null =>
      isUsedUp && Math.floor(now() / DAY_MS) === day ? describeUsedUp(kind) : null,
  };
}

const zeroAmount = (): Amount => ({ rows: 0, bytes: 0 });

const isWithin = (spent: Amount, more: Amount, most: Amount): boolean =>
  spent.rows + more.rows <= most.rows && spent.bytes + more.bytes <= most.bytes;

function add(spent: Amount, more: Amount): void {
  spent.rows += more.rows;
  spent.bytes += more.bytes;
}

/**
 * Finds or creates the counts of an address, begins a new minute if one has passed, and moves the
 * address to the end of the map: the first one is the least recently used.
 */
function countsOfAddress(
  addresses: Map<string, AddressCounts>,
  address: string,
  minute: number,
): AddressCounts {
  const known = addresses.get(address);
  const entry = known ?? { minute, spentInMinute: zeroAmount(), spentInDay: zeroAmount() };
  if (entry.minute !== minute) {
    entry.minute = minute;
    entry.spentInMinute = zeroAmount();
  }
  addresses.delete(address);
  addresses.set(address, entry);
  return entry;
}

/** Forgets the least recently used address if there are too many. */
function forgetOldest(addresses: Map<string, AddressCounts>, most = MAX_ADDRESSES): void {
  if (addresses.size <= most) return;
  const [oldest] = addresses.keys();
  if (oldest !== undefined) addresses.delete(oldest);
}

/** Makes the 503 of an exceeded budget. `Retry-After` is the end of the minute or of the day. */
function makeOverBudgetError(kind: Kind, from: string, at: number, windowMs: number) {
  const retryAfterS = Math.ceil((windowMs - (at % windowMs)) / SECOND_MS);
  return unavailable(`Too many ${kind} from ${from}. Try again later.`, retryAfterS);
}

const describeUsedUp = (kind: Kind) =>
  `The ${kind} of all addresses have used up the budget of the day. Further ones get 503 until midnight (UTC). RATE_LIMIT sets the budgets.`;
