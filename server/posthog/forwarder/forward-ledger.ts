/**
 * Sends the clicks of this server's ledger that PostHog does not have. The position passes a click when its receipt is final,
 * or when the click waits in the database. A fault of PostHog holds the position, because the ledger can keep more clicks than
 * the database.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LedgerPosition } from '../../clicks/ledger/ledger.ts';
import { linesAfter, type PlacedLine } from '../../clicks/ledger/lines-after.ts';
import { type LedgerLine, parseLine } from '../../clicks/ledger/parse-line.ts';
import type { CaptureEvent, Trouble } from '../capture/capture.ts';
import type { WaitingEvent } from '../receipts/receipt-store.ts';
import { isFinal } from '../receipts.ts';
import { forwardWaiting } from './forward-waiting.ts';
import { delayAfter } from './pace.ts';
import type { Sent } from './send-once.ts';
import type { Sender, SenderParts } from './sender.ts';

export interface LedgerParts extends SenderParts {
  ledger: {
    path: string;
    /** UUID among the ledgers of all servers. */
    id: string;
    end(): LedgerPosition;
  };
  /** Returns the event of a click, or the reason why PostHog never gets it. */
  toEvent(click: LedgerLine): CaptureEvent | string;
  /** Clicks that were received before are left out, because their receipts may be deleted. */
  retentionMs: number;
  /** Is there room for further waiting events? */
  mayKeep: () => Promise<boolean>;
  warn(message: string): void;
}

/** Returns when it meets the ledger's end, or a click that is too young. */
export async function forwardLedger(parts: LedgerParts, sender: Sender): Promise<void> {
  const { store, ledger, warn } = parts;
  const known = await store.position(ledger.id);
  for await (const lines of linesAfter(ledger.path, known, ledger.end(), warn)) {
    const began = performance.now();
    await nextTurn();
    const clicks = lines.map(({ text }) => parseLine(text));
    const young = clicks.findIndex((click) => click !== null && isYoung(click, parts));
    const due = young < 0 ? clicks : clicks.slice(0, young);
    await forwardClicks(parts, sender, eventsOf(due, parts));
    await savePosition(parts, lines[due.length - 1]);
    if (young >= 0) return;
    await forwardWaiting(parts, sender);
    await sender.rest(began);
  }
}

async function savePosition({ store, ledger }: LedgerParts, last: PlacedLine | undefined) {
  if (last) await store.setPosition(ledger.id, last.after);
}

/** A click from the future was received before the clock was set back. Its age is unknown, so it does not wait. */
function isYoung({ received_at }: LedgerLine, { now, pace }: LedgerParts): boolean {
  return Math.abs(now() - Date.parse(received_at)) < pace.ageMs;
}

/** Each click once: a file and its packed copy may exist at the same time. */
function eventsOf(clicks: readonly (LedgerLine | null)[], parts: LedgerParts): WaitingEvent[] {
  const oldest = parts.now() - parts.retentionMs;
  const events = new Map<string, WaitingEvent>();
  for (const click of clicks) {
    if (!click || Date.parse(click.received_at) < oldest) continue;
    const event = parts.toEvent(click);
    if (typeof event === 'string') continue;
    events.set(event.uuid, { channel: 'ledger', event, attempts: 0 });
  }
  return [...events.values()];
}

async function forwardClicks(
  parts: LedgerParts,
  sender: Sender,
  events: WaitingEvent[],
): Promise<void> {
  let pending = await withoutFinal(parts, events);
  let failures = 0;
  while (pending.length > 0) {
    const sent = await sender.send(pending.slice(0, sender.size()));
    pending = without(pending, sent.done);
    failures = sent.trouble ? failures + 1 : 0;
    const isBlocked = failures >= parts.pace.failuresBeforeAside && mayBeTheEvents(sent.trouble);
    if ((isBlocked || !sent.trouble) && (await setAside(parts, sent))) {
      pending = without(pending, sent.again);
      failures = 0;
    }
    if (sent.trouble) await sender.pause(sent);
    else if (sent.done.length === 0 && pending.length > 0) await sender.sleep(parts.pace.pollMs);
  }
}

/** Marks the clicks that browsers have sent themselves, and returns the others. */
async function withoutFinal({ store }: LedgerParts, events: WaitingEvent[]) {
  if (events.length === 0) return [];
  const receipts = await store.find(events.map(({ event }) => event.uuid));
  const final = [...receipts.values()].filter(({ verdict }) => isFinal(verdict));
  const byBrowsers = final.filter(({ channel }) => channel === 'browser');
  if (byBrowsers.length > 0) await store.markInLedger(byBrowsers.map(({ uuid }) => uuid));
  const done = new Set(final.map(({ uuid }) => uuid));
  return events.filter(({ event }) => !done.has(event.uuid));
}

/** A quota or a wrong key concerns all events alike. */
const mayBeTheEvents = (trouble: Trouble | null) =>
  trouble?.kind === 'away' || trouble?.kind === 'unreadable';

/** Moves clicks into the database, so that they do not hold up the next ones. @returns false if there is no room */
async function setAside(
  { store, now, pace, random, mayKeep }: LedgerParts,
  { again, trouble }: Pick<Sent<WaitingEvent>, 'again' | 'trouble'>,
) {
  if (again.length === 0) return true;
  if (!(await mayKeep())) return false;
  const failed = again.map((one) => ({ ...one, attempts: 1 }));
  await store.keep(failed, new Date(now() + delayAfter(1, trouble, pace, random())));
  return true;
}

const without = (events: WaitingEvent[], gone: readonly WaitingEvent[]) => {
  const set = new Set(gone);
  return events.filter((event) => !set.has(event));
};
