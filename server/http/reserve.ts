/**
 * Keeps the last free space of the disk for clicks: with SQLite for their table, and on every
 * server for their log. While less is free, visits, events and registrations get 503.
 */
import { statfsSync } from 'node:fs';
import type { Logger } from 'pino';
import { SECOND_MS } from '../time.ts';
import { unavailable } from './http-error.ts';

const MB = 1024 ** 2;
/** Within a second the budgets let through a few MB at most. */
const MEASURE_EVERY_MS = SECOND_MS;
const RETRY_AFTER_S = 60;

interface Options {
  /** DATA_DIR. */
  folder: string;
  /** CLICK_RESERVE_MB; 0: clicks have no reserve. */
  reserveMb: number;
  log: Pick<Logger, 'error' | 'info'>;
  freeBytes?: typeof freeBytesOf | undefined;
}

export type Reserve = ReturnType<typeof createReserve>;

export function createReserve({ folder, reserveMb, log, freeBytes = freeBytesOf }: Options) {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isLow = false;
  const warning = `Only clicks are taken, because the disk of DATA_DIR has less than ${reserveMb} MB left (CLICK_RESERVE_MB). Visits, events and registrations get 503. Free some space.`;

  const measureFreeSpace = async () => {
    lookedAt = performance.now();
    // A folder that cannot be read is a fault of clicks, which /readyz shows.
    const free = await freeBytes(folder).catch(() => Number.POSITIVE_INFINITY);
    const wasLow = isLow;
    isLow = free < reserveMb * MB;
    if (isLow && !wasLow) log.error(warning);
    if (wasLow && !isLow) log.info('Visits, events and registrations are taken again');
  };
  const isOnlyForClicks = async () => {
    if (performance.now() - lookedAt >= MEASURE_EVERY_MS) await measureFreeSpace();
    return isLow;
  };
  return {
    /** @throws (rejects with) HttpError 503 while the disk has room only for clicks */
    async check(): Promise<void> {
      if (await isOnlyForClicks())
        throw unavailable('The server has no room for this now. Send it again.', RETRY_AFTER_S);
    },
    /** A sentence for operators. Null while there is room for everything. */
    whyOnlyClicks: async (): Promise<string | null> => ((await isOnlyForClicks()) ? warning : null),
  };
}

/** Reads what the server may still write on the disk of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
