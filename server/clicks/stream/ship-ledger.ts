/**
 * Copies this server's ledger to the stream, line by line, in its order. The stream itself keeps the place that it has reached, so
 * a restart, a lost connection and a lost stream need nothing else: a new stream gets the whole ledger.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerPosition } from '../ledger/ledger.ts';
import { linesAfter, type PlacedLine } from '../ledger/lines-after.ts';
import { parseLine } from '../ledger/parse-line.ts';
import type { ClickStream, Kept, StreamLine } from './click-stream.ts';

/** Waits between attempts, in milliseconds; the last one repeats. */
const BACKOFF_MS = [100, 500, 2_000, 5_000];

export interface ShipperParts {
  ledger: {
    path: string;
    /** Ships the lines before this place; null: none yet. */
    end(): LedgerPosition | null;
  };
  /** Connects to the stream. */
  open: () => Promise<ClickStream>;
  log: { info(message: string): void; warn(message: string): void };
}

export interface Shipper {
  /** Tells that the ledger has new lines. */
  wake(): void;
  /**
   * Resolves once a quorum has every line that the ledger has now.
   * @throws (rejects) at once while the stream is away, and when an attempt fails
   */
  caughtUp(): Promise<void>;
  /** The reason why the stream gets no lines; null: it gets them. */
  fault(): string | null;
  stop(): Promise<void>;
}

interface Waiter {
  resolve(): void;
  reject(cause: Error): void;
}

export function startShipper({ ledger, open, log }: ShipperParts): Shipper {
  let stream: ClickStream | null = null;
  let kept: Kept | null = null;
  let fault: Error | null = null;
  const waiters: Waiter[] = [];
  let wakeUp = () => {};
  let hasNew = true;
  const stopping = new AbortController();

  const ship = async () => {
    stream ??= await open();
    kept ??= await stream.kept();
    const mine = waiters.splice(0);
    try {
      kept = await shipLines(stream, kept, ledger, log.warn);
    } catch (cause) {
      waiters.unshift(...mine);
      throw cause;
    }
    for (const { resolve } of mine) resolve();
  };

  const setFault = (cause: Error | null) => {
    if (cause && !fault)
      log.warn(
        `The stream gets no clicks: ${cause.message}. The ledger has them, and the server tries again`,
      );
    if (!cause && fault) log.info('The stream gets clicks again');
    fault = cause;
    if (cause) for (const { reject } of waiters.splice(0)) reject(cause);
  };

  const run = async () => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const news = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      if (hasNew) wakeUp();
      await news;
      hasNew = false;
      try {
        await ship();
        setFault(null);
        failures = 0;
      } catch (cause) {
        // The next attempt asks the stream what it has, and makes it again if it was lost.
        kept = null;
        await stream?.close().catch(() => {});
        stream = null;
        hasNew = true;
        setFault(cause as Error);
        const ms = BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)];
        await sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  };
  const running = run();

  const wake = () => {
    hasNew = true;
    wakeUp();
  };
  return {
    wake,
    caughtUp() {
      if (fault) return Promise.reject(fault);
      return new Promise((resolve, reject) => {
        waiters.push({ resolve, reject });
        wake();
      });
    },
    fault: () => fault?.message ?? null,
    async stop() {
      stopping.abort();
      wake();
      await running;
      await stream?.close();
    },
  };
}

/** Ships what the ledger has now. @returns what the stream then has */
async function shipLines(
  stream: ClickStream,
  kept: Kept,
  { path, end }: ShipperParts['ledger'],
  warn: (message: string) => void,
): Promise<Kept> {
  let { confirmed, later } = kept;
  const to = end();
  if (to === null) return kept;
  for await (const lines of linesAfter(path, confirmed.position, to, warn)) {
    const missing = lines.map(toStreamLine).filter(({ id }) => !later.has(id));
    const sequence =
      missing.length > 0 ? await stream.append(missing, confirmed) : confirmed.sequence;
    confirmed = { position: lines.at(-1)?.after ?? null, sequence };
    later = new Set();
  }
  return { confirmed, later };
}

function toStreamLine({ text, after }: PlacedLine): StreamLine {
  return { id: parseLine(text)?.id ?? `${after.first} ${after.offset}`, text };
}
