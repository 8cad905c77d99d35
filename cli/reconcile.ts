/**
 * `clicks reconcile`: compares the ledger with PostHog's receipts, and with a personal key also with PostHog's own list of clicks.
 * It sends no event.
 */
import type { Config } from '../server/config.ts';
import { eventFromLedger } from '../server/posthog/from-ledger.ts';
import { managementAccess } from '../server/posthog/management/management-access.ts';
import { type Management, openManagement } from '../server/posthog/management/management-api.ts';
import { ManagementError } from '../server/posthog/management/management-error.ts';
import { openReceipts } from '../server/posthog/receipts/open-receipts.ts';
import type { ReceiptStore } from '../server/posthog/receipts/receipt-store.ts';
import {
  clicksAtPosthog,
  hiddenBefore,
  type Period,
} from '../server/posthog/reconcile/clicks-at-posthog.ts';
import { type Limits, type Sorted, sortClick } from '../server/posthog/reconcile/sort-click.ts';
import { type LedgerClick, ledgerClicks } from './ledger-clicks.ts';
import { createListedClicks, type ListedClicks } from './reconcile/listed-clicks.ts';
import { count, describe, faultsOf, newSummary, type Summary } from './reconcile/summary.ts';
import { createProgress } from './replay/progress.ts';
import { readTime } from './usage-error.ts';
import { warn } from './warn.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 500;

interface ReconcileArguments {
  since?: string | undefined;
  until?: string | undefined;
  /** Names each click that PostHog lacks, and each that the ledgers lack. */
  list?: boolean | undefined;
}

interface Comparison {
  store: ReceiptStore;
  /** null: without PostHog's own list. */
  listed: ListedClicks | null;
  limits: Limits;
  config: Config;
  summary: Summary;
  /** Prints a click that only one side has. */
  name: (what: string, uuid: string, reason: string | null) => void;
}

/**
 * @param paths of the ledgers
 * @throws UsageError, a ManagementError, or an Error if a difference has no reason
 */
export async function reconcile(
  paths: string[],
  config: Config,
  given: ReconcileArguments,
  print: (text: string) => void,
): Promise<void> {
  const now = Date.now();
  // A click's own time may be up to a day ahead.
  const until = readTime('until', given.until) ?? now + 2 * DAY_MS;
  const period = { from: wholeSecond(readTime('since', given.since) ?? 0), to: wholeSecond(until) };
  const api = config.posthogApp.key === null ? null : openManagement(managementAccess(config));
  const listed = api && (await readList(api, period));
  const posthogFrom = api && (await hiddenBefore(api, now).catch(withoutRetention));
  const limits = { now, retentionMs: config.receiptRetentionDays * DAY_MS, posthogFrom };
  const store = await openReceipts(config, warn);
  const summary = newSummary();
  const name: Comparison['name'] = (what, uuid, reason) => {
    if (given.list) print(`${what.padEnd(12)}${uuid}  ${reason ?? ''}`.trimEnd().concat('\n'));
  };
  const comparison = { store, listed, limits, config, summary, name };
  try {
    for await (const clicks of batches(paths, period)) await sortClicks(comparison, clicks);
    if (listed) summary.posthog = await sortRest(store, listed, name);
  } finally {
    await store.close();
  }
  print(describe(summary));
  if (!api) print(WITHOUT_LIST);
  const faults = faultsOf(summary);
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

const WITHOUT_LIST =
  "By PostHog's receipts. For PostHog's own list set POSTHOG_PERSONAL_KEY and POSTHOG_PROJECT_ID.\n";

/** HogQL compares whole seconds. */
const wholeSecond = (ms: number) => Math.floor(ms / 1000) * 1000;

/** The list is read before the ledger, so that every click on it is in the ledger. */
async function readList(api: Management, period: Period): Promise<ListedClicks> {
  const listed = createListedClicks();
  const progress = createProgress(process.stderr);
  let isCached = false;
  for await (const page of clicksAtPosthog(api, period, () => {
    isCached = true;
  })) {
    for (const { uuid, copies } of page) listed.add(uuid, copies);
    progress.show(`${listed.size().clicks} clicks of PostHog's list`);
  }
  progress.clear();
  if (isCached) warn('PostHog answered from its cache, so its list may lack the latest clicks.');
  return listed;
}

function withoutRetention(cause: unknown): null {
  if (!(cause instanceof ManagementError)) throw cause;
  warn(`It is not known how long PostHog keeps events. ${cause.message}`);
  return null;
}

async function* batches(paths: string[], { from, to }: Period): AsyncGenerator<LedgerClick[]> {
  let batch: LedgerClick[] = [];
  for await (const click of ledgerClicks(paths)) {
    const time = Date.parse(click.timestamp);
    if (time < from || time >= to) continue;
    batch.push(click);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function sortClicks(comparison: Comparison, clicks: LedgerClick[]): Promise<void> {
  const { store, listed, limits, config, summary, name } = comparison;
  const receipts = await store.find(clicks.map(({ id }) => id));
  summary.log += clicks.length;
  for (const click of clicks) {
    const event = eventFromLedger(click, config);
    const isAtPosthog = listed?.take(click.id) ?? null;
    const sorted: Sorted =
      typeof event === 'string' && !isAtPosthog
        ? { fate: event, reason: null }
        : sortClick(
            {
              received: Date.parse(click.received_at),
              timestamp: Date.parse(click.timestamp),
              receipt: receipts.get(click.id.toLowerCase()),
              isAtPosthog,
            },
            limits,
          );
    count(summary, sorted);
    const { fate, reason } = sorted;
    if (NAMED.includes(fate)) name(fate, click.id, reason);
  }
}

const NAMED: string[] = ['waiting', 'dropped', 'unknown'];

/** What PostHog has and these ledgers lack. */
async function sortRest(
  store: ReceiptStore,
  listed: ListedClicks,
  name: Comparison['name'],
): Promise<Summary['posthog']> {
  let [fromBrowsers, unknown] = [0, 0];
  for (const uuids of listed.rest()) {
    const receipts = await store.find(uuids);
    for (const uuid of uuids) if (!receipts.has(uuid)) name('unexplained', uuid, null);
    fromBrowsers += receipts.size;
    unknown += uuids.length - receipts.size;
  }
  return { ...listed.size(), fromBrowsers, unknown };
}
