/**
 * `clicks replay`: sends clicks from the ledger to PostHog, for disasters: the server sends by itself what PostHog lacks. An
 * event keeps the click's id, visitor and time, by which PostHog recognises repetitions. Robots and visitors who ask for
 * privacy are left out.
 */
import { existsSync } from 'node:fs';
import type { Config } from '../server/config.ts';
import type { CaptureEvent, Trouble } from '../server/posthog/capture/capture.ts';
import { createCapture } from '../server/posthog/capture/create-capture.ts';
import { eventFromLedger } from '../server/posthog/from-ledger.ts';
import { openReceipts } from '../server/posthog/receipts/open-receipts.ts';
import { FORGOTTEN, type ReceiptStore } from '../server/posthog/receipts/receipt-store.ts';
import { isFinal } from '../server/posthog/receipts.ts';
import { toPrintableJson } from '../server/text/printable.ts';
import { ledgerClicks } from './ledger-clicks.ts';
import { checkDestination } from './replay/check-destination.ts';
import { createDays } from './replay/days.ts';
import { createProgress } from './replay/progress.ts';
import { type ReplayArguments, type ReplayOptions, readOptions } from './replay/replay-options.ts';
import { OWNER, type Sending, sendEvents } from './replay/send-events.ts';
import { describe, leftToSend, newTally, number, type Tally } from './replay/tally.ts';
import { warn } from './warn.ts';

const BATCH = 500;
const TIMEOUT_MS = 20_000;

type Settings = Pick<Config, 'posthogHost' | 'logIp' | 'distDir' | 'databaseUrl' | 'files'>;
type Print = (text: string) => void;

/**
 * @param paths of the ledgers
 * @throws UsageError, or an Error while PostHog lacks one of the clicks
 */
export async function replay(
  paths: string[],
  settings: Settings,
  given: ReplayArguments,
  print: Print,
): Promise<void> {
  const options = readOptions(given);
  const { posthogHost: host } = settings;
  if (options.dryRun) return rehearse(paths, settings, options, print);
  checkDestination(settings.distDir, host);
  const store = await openReceipts(settings, warn);
  const progress = createProgress(process.stderr);
  const tally = newTally();
  const capture = createCapture({ host, key: options.key, timeoutMs: TIMEOUT_MS });
  const sending = { capture, store, tally, all: options.all };
  let trouble: Trouble | null = null;
  try {
    await store.abandon(OWNER);
    for await (const events of batches(paths, settings, options, tally)) {
      const due = await withoutFinal(sending, events);
      // Goes on after a fault, to count what is left.
      const taken = trouble ? [] : due.slice(0, options.limit - tally.sent);
      tally.skipped += due.length - taken.length;
      if (taken.length > 0) trouble = await sendEvents(sending, taken);
      progress.show(`${number(tally.sent)} clicks sent, up to ${events.at(-1)?.timestamp}`);
    }
  } finally {
    progress.clear();
    await store.close();
  }
  print(describe(tally, host));
  const left = leftToSend(tally);
  if (left > 0) throw new Error(advice(left, trouble));
}

const advice = (left: number, trouble: Trouble | null) =>
  `${trouble ? `${trouble.message}\n` : ''}${number(left)} clicks are left to send. Nothing is lost: run the command again.`;

/** Yields the events of the chosen clicks, 500 at a time, and counts those that PostHog never gets. */
async function* batches(
  paths: string[],
  { logIp }: Settings,
  { since, until }: ReplayOptions,
  { leftOut }: Pick<Tally, 'leftOut'>,
): AsyncGenerator<CaptureEvent[]> {
  let batch: CaptureEvent[] = [];
  for await (const click of ledgerClicks(paths)) {
    const time = Date.parse(click.timestamp);
    if (time < since || time >= until) continue;
    const event = eventFromLedger(click, { logIp, posthogSendIp: false });
    if (typeof event === 'string') leftOut[event] += 1;
    else batch.push(event);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function withoutFinal({ all, store, tally }: Sending, events: CaptureEvent[]) {
  const known = await store.find(events.map(({ uuid }) => uuid));
  const isDue = ({ uuid }: CaptureEvent) => {
    const { verdict = 'retry', detail } = known.get(uuid) ?? {};
    return all ? detail !== FORGOTTEN : !isFinal(verdict);
  };
  const due = events.filter(isDue);
  tally.before += events.length - due.length;
  return due;
}

/** Prints what a replay would do. Sends nothing and makes no file. */
async function rehearse(
  paths: string[],
  settings: Settings,
  options: ReplayOptions,
  print: Print,
): Promise<void> {
  const hasReceipts = settings.databaseUrl !== null || existsSync(settings.files.receipts);
  const store: ReceiptStore | null = hasReceipts ? await openReceipts(settings, warn) : null;
  const days = createDays();
  let due = 0;
  try {
    for await (const events of batches(paths, settings, options, newTally())) {
      const known = await store?.find(events.map(({ uuid }) => uuid));
      for (const event of events) {
        const verdict = known?.get(event.uuid)?.verdict;
        days.add(event.timestamp, verdict);
        const isDue = (options.all || !isFinal(verdict ?? 'retry')) && due < options.limit;
        if (!isDue) continue;
        due += 1;
        if (options.dryRun === 'events') print(`${toPrintableJson(event)}\n`);
      }
    }
  } finally {
    await store?.close();
  }
  const sentence = `${number(due)} events would go to ${settings.posthogHost}.\n`;
  if (options.dryRun === 'summary') print(`${days.describe()}\n${sentence}`);
}
