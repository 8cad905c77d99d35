/** Warns the operator before the disk is so full that clicks are rejected. */
import type { Logger } from 'pino';
import { readFreeBytes } from './free-space.ts';

const MB = 1024 * 1024;
/** The warning comes below this many times MIN_FREE_MB: 500 MB by default, which is more than a million clicks away from the floor. */
const WARN_FACTOR = 5;
/** The warning ends a tenth above that, so that a size around it does not fill the log. */
const END_FACTOR = 1.1;
const EVERY_MS = 30_000;

export interface SpaceWatch {
  /** Returns a sentence while little is free; null: enough is. */
  warning(): string | null;
  stop(): void;
}

interface Options {
  /** A folder on the disk in question. */
  folder: string;
  /** MIN_FREE_MB in bytes; 0: no warning. */
  minFreeBytes: number;
  log: Pick<Logger, 'info' | 'warn'>;
  freeBytes?: (folder: string) => number;
  everyMs?: number;
}

/** Logs once when little space is left, and once when there is enough again. */
export function watchSpace(options: Options): SpaceWatch {
  const { folder, minFreeBytes, log, freeBytes = readFreeBytes, everyMs = EVERY_MS } = options;
  const limit = WARN_FACTOR * minFreeBytes;
  let warning: string | null = null;
  const look = () => {
    const free = readOrNull(freeBytes, folder);
    if (free === null) return;
    if (free < limit) {
      if (warning === null) log.warn(describe(free, options));
      warning = describe(free, options);
    } else if (warning !== null && free >= limit * END_FACTOR) {
      warning = null;
      log.info(`Enough space is free again on the disk of ${folder}: ${inMb(free)} MB`);
    }
  };
  const timer = minFreeBytes > 0 ? setInterval(look, everyMs).unref() : undefined;
  look();
  return { warning: () => warning, stop: () => clearInterval(timer) };
}

/** The ledger reports a disk that cannot be asked. */
function readOrNull(freeBytes: (folder: string) => number, folder: string): number | null {
  try {
    return freeBytes(folder);
  } catch {
    return null;
  }
}

const inMb = (bytes: number) => Math.floor(bytes / MB);

const describe = (free: number, { folder, minFreeBytes }: Options) =>
  `Only ${inMb(free)} MB are free on the disk of ${folder}. Below ${inMb(minFreeBytes)} MB (MIN_FREE_MB) clicks are rejected: free some space.`;
