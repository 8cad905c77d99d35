/**
 * Copies the ledger to the stream of STREAM_URL.
 *
 * With ACK=replicated a group of clicks goes to the disk, then to the stream, then into the index. So the index has no click that
 * the stream lacks, and a server may answer "duplicate" for a click that another server took.
 */
import type { Ledger, LedgerPosition } from '../ledger/ledger.ts';
import { openNatsStream } from './nats-stream.ts';
import { type Shipper, type ShipperParts, startShipper } from './ship-ledger.ts';
import type { StreamAddress } from './stream-address.ts';
import { within } from './within.ts';

/** Clicks wait this long for a quorum. Browsers give up after 5 s. */
const QUORUM_PATIENCE_MS = 2_000;

export interface StreamSettings {
  address: StreamAddress;
  /** Whether a click is confirmed only when a quorum of the stream has it too. */
  isAwaited: boolean;
}

export interface StreamCopy {
  /** Tells that the index has new lines. */
  wake(): void;
  /** The ledger whose `flush` waits for the stream, if clicks wait for it. */
  awaitedBy(ledger: Ledger): Ledger;
  /** Resolves when the index may take what the ledger has. @throws (rejects) an Error with the code `not_replicated` */
  mayIndex(): Promise<void>;
  /** A sentence about a stream that gets no lines; null: it gets them. */
  warning(): string | null;
  stop(): Promise<void>;
}

interface Source {
  path: string;
  /** UUID among the ledgers of all servers. */
  id: string;
  end(): LedgerPosition;
  /** The end of the indexed part. The server may still cut off the lines after it. */
  indexedTo(): LedgerPosition | null;
}

export function openStream(
  { address, isAwaited }: StreamSettings,
  { path, id, end, indexedTo }: Source,
  log: ShipperParts['log'],
): StreamCopy {
  const shipper = startShipper({
    ledger: { path, end: isAwaited ? end : indexedTo },
    open: () => openNatsStream(address, id),
    log,
  });
  const names = address.servers.join(', ');
  return {
    wake: shipper.wake,
    awaitedBy: (ledger) => (isAwaited ? awaitStream(ledger, shipper) : ledger),
    mayIndex: async () => {
      if (isAwaited) await untilShipped(shipper);
    },
    warning() {
      const fault = shipper.fault();
      if (fault === null) return null;
      const effect = isAwaited ? 'Clicks get 503, and browsers keep them' : 'The ledger has them';
      return `The stream at ${names} gets no clicks: ${fault}. ${effect}.`;
    },
    stop: shipper.stop,
  };
}

/** Lines that the stream may have are never cut off: a restart or the next group brings them into the index. */
function awaitStream(ledger: Ledger, shipper: Shipper): Ledger {
  return {
    ...ledger,
    async flush() {
      const flushed = await ledger.flush();
      await untilShipped(shipper);
      return flushed;
    },
    undo() {},
  };
}

async function untilShipped(shipper: Shipper): Promise<void> {
  try {
    await within(QUORUM_PATIENCE_MS, shipper.caughtUp());
  } catch (cause) {
    const { message } = cause as Error;
    throw Object.assign(new Error(`The stream has not confirmed the click: ${message}.`), {
      code: 'not_replicated',
    });
  }
}
