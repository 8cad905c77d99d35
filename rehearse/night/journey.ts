/** What became of each click, from the ledgers, the index and PostHog. */
import type { LedgerFollower, SeenLine } from './follow-ledgers.ts';

/** All times are milliseconds since 1970; null: it has not happened. */
export interface Journey {
  id: string;
  madeAt: number;
  /** The browser has the server's confirmation. */
  confirmedAt: number | null;
  /** The first line in a ledger. */
  onDiskAt: number | null;
  /** Place of the ledger of each line, read again at the end. nginx may ask a second server, so two ledgers may have a click. */
  ledgers: number[];
  /** Commit of the transaction that counted it. */
  indexedAt: number | null;
  /** Events that PostHog counts after it has merged repetitions. */
  atPosthog: { at: number; by: 'browser' | 'server' }[];
}

export interface Evidence {
  made: readonly { id: string; at: number }[];
  confirmed: ReadonlyMap<string, number>;
  seen: LedgerFollower['lines'];
  /** The ids in each ledger at the end, in the order of the lines. */
  ledgers: readonly string[][];
  /** Time of the commit by id. */
  indexed: ReadonlyMap<string, number>;
  /** Sum of the index's counters. */
  counted: number;
  /** Merged events of PostHog. */
  events: readonly { uuid: string; at: number; userAgent: string }[];
}

/** @param isBrowser whether an event's user agent is a visitor's */
export function journeysOf(evidence: Evidence, isBrowser: (userAgent: string) => boolean) {
  const places = Map.groupBy(
    evidence.ledgers.flatMap((ids, ledger) => ids.map((id) => ({ id, ledger }))),
    ({ id }) => id,
  );
  const events = Map.groupBy(evidence.events, ({ uuid }) => uuid);
  return evidence.made.map(({ id, at }): Journey => {
    const confirmedAt = evidence.confirmed.get(id) ?? null;
    const ledgers = (places.get(id) ?? []).map(({ ledger }) => ledger);
    return {
      id,
      confirmedAt,
      ledgers,
      madeAt: at,
      onDiskAt: ledgers.length === 0 ? null : (earliest(evidence.seen.get(id)) ?? confirmedAt),
      indexedAt: evidence.indexed.get(id) ?? null,
      atPosthog: (events.get(id) ?? []).map((event) => ({
        at: event.at,
        by: isBrowser(event.userAgent) ? 'browser' : 'server',
      })),
    };
  });
}

const earliest = (lines: SeenLine[] = []): number | null =>
  lines.length > 0 ? Math.min(...lines.map(({ at }) => at)) : null;
