/** Opens what goes to PostHog: receipts, the client, the forwarder and their upkeep. */
import type { Logger } from 'pino';
import { createSpaceCheck } from '../clicks/ledger/free-space.ts';
import type { LedgerPosition } from '../clicks/ledger/ledger.ts';
import type { Config } from '../config.ts';
import { readLedgerId } from '../database/ledger-id.ts';
import type { Capture } from './capture/capture.ts';
import { createCapture } from './capture/create-capture.ts';
import { createDeliveryState, type DeliveryState } from './delivery-state.ts';
import { hasRoom, ROOM, type Room } from './forwarder/forward-waiting.ts';
import { startForwarder } from './forwarder/forwarder.ts';
import { forwarderLagMs } from './forwarder/forwarder-lag.ts';
import { PACE, type Pace } from './forwarder/pace.ts';
import { eventFromLedger, type LedgerClick } from './from-ledger.ts';
import { createLateReceipts, type LateReceipts } from './receipts/late-receipts.ts';
import { openReceipts } from './receipts/open-receipts.ts';
import type { ReceiptStore } from './receipts/receipt-store.ts';
import { createTimeLimit, type Within } from './receipts/time-limit.ts';
import { startUpkeep } from './receipts/upkeep.ts';
import type { Receipt } from './receipts.ts';

export interface Posthog {
  /** The project's key. */
  key: string;
  receipts: ReceiptStore;
  state: DeliveryState;
  /** For the events of browsers, which wait for the answer. */
  capture: Capture;
  within: Within;
  late: LateReceipts;
  /** Is there room for further waiting events? */
  mayKeep: () => Promise<boolean>;
  /** Name of this server among those that share the receipts. */
  owner: string;
}

export interface OpenPosthog extends Posthog {
  /** Age of the oldest click that the forwarder has not dealt with, in milliseconds; 0: there is none. */
  lagMs(): Promise<number>;
  /** Ends the forwarder. Waits a moment for its request under way. */
  stop(): Promise<void>;
  /** Closes the receipts, after the last event of a browser. */
  close(): Promise<void>;
}

export interface PosthogParts {
  /** PostHog's project key of this build. */
  key: string;
  log: Logger;
  /** Returns the end of the open ledger. */
  ledgerEnd: () => LedgerPosition;
  /** Returns milliseconds since 1970; null while the clock cannot be trusted. */
  trustedNow: () => Promise<number | null>;
  /** Called with receipts that have been written, for the metrics. */
  onReceipts?: ((receipts: readonly Receipt[]) => void) | undefined;
  pace?: Partial<Pace>;
  room?: Room;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Upper bound for PostHog's answer, because a visitor's browser waits for it. */
const BROWSER_TIMEOUT_MS = 5000;

/** @throws an Error that says what to do */
export async function openPosthog(
  config: Config,
  {
    key,
    log,
    ledgerEnd,
    trustedNow,
    onReceipts = () => {},
    pace: changes,
    room = ROOM,
  }: PosthogParts,
): Promise<OpenPosthog> {
  const { files, databaseUrl, posthogHost: host, logIp, posthogSendIp } = config;
  const pace = { ...PACE, ageMs: config.forwardAfterMs, ...changes };
  const owner = databaseUrl ? readLedgerId(files.ledgerId) : 'this server';
  const receipts = reportReceipts(
    await openReceipts(config, (message) => log.warn(message), { threaded: true }),
    onReceipts,
  );
  const mayKeep = makeMayKeep(receipts, config, room);
  const toEvent = (click: LedgerClick) => eventFromLedger(click, { logIp, posthogSendIp });
  const retentionMs = config.receiptRetentionDays * DAY_MS;
  const state = createDeliveryState(log);
  const within = createTimeLimit();
  const late = createLateReceipts(receipts, within);
  const forwarder = startForwarder({
    store: receipts,
    capture: createCapture({ host, key }),
    state,
    owner,
    now: Date.now,
    random: Math.random,
    pace,
    ledger: { path: files.ledger, id: owner, end: ledgerEnd },
    toEvent,
    retentionMs,
    mayKeep,
    flush: late.flush,
    warn: (message) => log.warn(message),
  });
  const upkeep = startUpkeep({ store: receipts, state, trustedNow, retentionMs, log });
  return {
    key,
    receipts,
    late,
    within,
    mayKeep,
    state,
    owner,
    capture: createCapture({ host, key, timeoutMs: BROWSER_TIMEOUT_MS }),
    lagMs: async () =>
      forwarderLagMs({
        path: files.ledger,
        known: await receipts.position(owner),
        end: ledgerEnd(),
        now: Date.now(),
      }),
    async stop() {
      await Promise.all([upkeep.stop(), forwarder.stop()]);
    },
    async close() {
      await late.flush().catch(() => {});
      await receipts.close();
    },
  };
}

/** Keeps no further events when the disk has less than MIN_FREE_MB, because clicks need the rest. */
function makeMayKeep(store: ReceiptStore, { dataDir, minFreeBytes }: Config, room: Room) {
  const checkSpace = createSpaceCheck({ folder: dataDir, minFreeBytes });
  return async () => {
    try {
      checkSpace();
    } catch {
      return false;
    }
    return hasRoom(store, room);
  };
}

function reportReceipts(
  store: ReceiptStore,
  onReceipts: (receipts: readonly Receipt[]) => void,
): ReceiptStore {
  return {
    ...store,
    async record(receipts) {
      await store.record(receipts);
      onReceipts(receipts);
    },
  };
}
