/**
 * Copies this server's ledger to the stream, line by line, in its order. The stream itself keeps the place that it has reached, so
 * a restart, a lost connection and a lost stream need nothing else: a new stream gets the whole ledger.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickStream, Kept } from './click-stream.ts';
import { type ShippedLedger, type ShipperLog, shipLines, warnOfRest } from './ship-lines.ts';
import { within } from './within.ts';

/** Waits between attempts, in milliseconds; the last one repeats. */
const BACKOFF_MS = [100, 500, 2_000, 5_000];

/** The stream leaves out lines that it gets again within two minutes, so a younger doubt needs no question. */
const DOUBT_MS = 60_000;

/** Upper bound for one step whose client has no limit of its own. Longer than the client's limits. */
const STEP_MS = 60_000;

/** A stop waits this long for the stream to take the last lines. */
const LAST_LINES_MS = 2_000;

export interface ShipperParts {
  ledger: ShippedLedger;
  /** Connects to the stream. */
  open: () => Promise<ClickStream>;
  log: ShipperLog;
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
  /** Ships the last lines, within two seconds, and logs how many lines the stream lacks then. */
  stop(): Promise<void>;
}

interface Waiter {
  resolve(): void;
  reject(cause: Error): void;
}

export function startShipper({ ledger, open, log }: ShipperParts): Shipper {
  let stream: ClickStream | null = null;
  let kept: Kept | null = null;
  /** The place that the stream had reached when it last answered; null: it has not answered yet. */
  let reached: Kept['confirmed'] | null = null;
  let fault: Error | null = null;
  /** When the first attempt since the last success began. Monotonic milliseconds. */
  let doubtSince = 0;
  const waiters: Waiter[] = [];
  let wakeUp = () => {};
  let hasNew = true;
  /** The connection has ended, also without new lines. The stream may be another one since then. */
  let hasEnded = false;
  let isLast = false;
  /** Ends a pause between two attempts. */
  const hurry = new AbortController();
  /** Ends the work. */
  const ending = new AbortController();

  const ship = async () => {
    stream ??= await openOnce();
    kept ??= await within(STEP_MS, stream.kept());
    reached = kept.confirmed;
    const mine = waiters.splice(0);
    try {
      for await (kept of shipLines(stream, kept, ledger, log)) {
        reached = kept.confirmed;
        ending.signal.throwIfAborted();
      }
    } catch (cause) {
      waiters.unshift(...mine);
      throw cause;
    }
    for (const { resolve } of mine) resolve();
  };

  /** A connection that is made too late is closed. */
  const openOnce = async () => {
    const opening = open();
    try {
      const opened = await within(STEP_MS, opening);
      ending.signal.throwIfAborted();
      opened.closed.then(() => {
        if (stream !== opened) return;
        hasEnded = true;
        wake();
      });
      return opened;
    } catch (cause) {
      opening.then((late) => late.close()).catch(() => {});
      throw cause;
    }
  };

  const close = async () => {
    const old = stream;
    stream = null;
    kept = null;
    await within(LAST_LINES_MS, Promise.resolve(old?.close())).catch(() => {});
  };

  /** Is it the stream of the last success, which still knows the lines that it got since then? */
  const isSame = async () =>
    kept !== null &&
    performance.now() - doubtSince < DOUBT_MS &&
    (await stream?.isAlive()) === true;

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
    for (let failures = 0; !ending.signal.aborted && !(isLast && !hasNew); ) {
      const news = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      if (hasNew) wakeUp();
      await news;
      hasNew = false;
      if (hasEnded) await close();
      hasEnded = false;
      if (failures === 0) doubtSince = performance.now();
      try {
        await ship();
        setFault(null);
        failures = 0;
      } catch (cause) {
        hasNew = true;
        // The next attempt then asks the stream what it has, and makes it again if it was lost.
        if (!(await isSame())) await close();
        if (!ending.signal.aborted) setFault(cause as Error);
        const ms = BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)];
        const { signal } = isLast ? ending : hurry;
        await sleep(ms, undefined, { signal }).catch(() => {});
      }
    }
    await close();
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
      isLast = true;
      hurry.abort();
      wake();
      const cause = await within(LAST_LINES_MS, running).catch((late: Error) => late);
      ending.abort();
      await close();
      if (cause) await warnOfRest(ledger, reached, fault ?? cause, log);
    },
  };
}
