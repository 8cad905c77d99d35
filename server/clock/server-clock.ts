/** Guards a server's clock: starts from the newest time in the data folder, and checks the clock every few minutes. */
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import { readClockFile, writeClockFile } from './clock-file.ts';
import {
  type ClockGuard,
  type ClockReference,
  createClockGuard,
  RUNNING_TOLERANCE_MS,
} from './clock-guard.ts';

const MINUTE_MS = 60 * 1000;
const CHECK_MS = 10 * MINUTE_MS;
const SAVE_MS = 5 * MINUTE_MS;
/** Tolerance at a start. After a longer pause the operator has to confirm the clock. */
const DOWNTIME_TOLERANCE_MS = 7 * 24 * 60 * MINUTE_MS;

export interface ServerClock {
  /**
   * @returns milliseconds since 1970; null while the clock is too far ahead to delete anything by age
   * @throws (rejects) when the time cannot be compared yet, because the database is away
   */
  now(): Promise<number | null>;
  /** The last trusted moment, for another thread of this process; null: not known yet. */
  reference(): ClockReference | null;
  close(): void;
}

interface Options {
  /** Path of the file with the newest trusted time. */
  file: string;
  /** Time of the newest record in milliseconds since 1970, for a folder without that file; null: no records. */
  newestRecord: () => Promise<number | null>;
  clock: Clock;
  log: Pick<Logger, 'error' | 'info'>;
}

export function openServerClock({ file, newestRecord, clock, log }: Options): ServerClock {
  let guard: ClockGuard | null = null;
  let opening: Promise<ClockGuard> | null = null;

  const open = async () => {
    const known = readClockFile(file) ?? (await newestRecord());
    guard = createClockGuard({
      clock,
      reference: {
        wallMs: known ?? clock.now(),
        monotonicMs: clock.monotonic(),
        toleranceMs: known === null ? RUNNING_TOLERANCE_MS : DOWNTIME_TOLERANCE_MS,
      },
      log,
      readMark: () => readClockFile(file),
      onTrusted: makeSaver(file),
    });
    return guard;
  };
  const now = async () => {
    opening ??= open().catch((cause) => {
      opening = null;
      throw cause;
    });
    return (await opening).now();
  };
  const look = () => void now().catch(() => {});
  const timer = setInterval(look, CHECK_MS).unref();
  look();
  return {
    now,
    reference: () => guard?.reference() ?? null,
    close: () => clearInterval(timer),
  };
}

/** Ignores a failed write, because the next start then compares with an older time, which is safe. */
function makeSaver(file: string): (wallMs: number) => void {
  let saved = Number.NEGATIVE_INFINITY;
  return (wallMs) => {
    if (wallMs - saved < SAVE_MS) return;
    saved = wallMs;
    try {
      writeClockFile(file, wallMs);
    } catch {
      // See above.
    }
  };
}
