/**
 * Reserves the last free disk space for clicks: with SQLite for the database, and on every server
 * for the click log. If less is free, visits, events and registrations get 503.
 */
import { statfsSync } from 'node:fs';
import type { Logger } from 'pino';
import { SECOND_MS } from '../time.ts';
import { unavailable } from './http-error.ts';

const MB = 1024 ** 2;
/**
 * The free space is measured at most once in this time. Meanwhile the budgets (budgets.ts) let
 * through a few MB at most.
 */
const MEASURE_EVERY_MS = SECOND_MS;
const RETRY_AFTER_S = 60;

interface Options {
  /** Path of DATA_DIR, whose disk is measured. */
  folder: string;
  /** The setting CLICK_RESERVE_MB; 0: nothing is reserved. */
  reserveMb: number;
  log: Pick<Logger, 'error' | 'info'>;
  /** Measures the free space. Tests replace it. */
  freeBytes?: typeof freeBytesOf | undefined;
}

export type Reserve = ReturnType<typeof createReserve>;

export function createReserve({ folder, reserveMb, log, freeBytes = freeBytesOf }: Options) {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isLow = false;
  const warning = `Only clicks are taken, because the disk of DATA_DIR has less than ${reserveMb} MB left (CLICK_RESERVE_MB). Visits, events and registrations get 503. Free some space.`;

  const measureFreeSpace = async () => {
    lookedAt = performance.now();
    // A folder that cannot be read does not count as full. Clicks fail then too, which /readyz
    // reports.
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
    /**
     * Call it before anything except a click is stored.
     *
     * @throws (rejects with) HttpError 503 while the free space is reserved for clicks
     */
    async check(): Promise<void> {
      if (await isOnlyForClicks())
        throw unavailable('The server has no room for this now. Send it again.', RETRY_AFTER_S);
    },
    /** Returns a sentence for operators while only clicks are accepted, otherwise null. */
    whyOnlyClicks: async (): Promise<string | null> => ((await isOnlyForClicks()) ? warning : null),
  };
}

/** Returns how many bytes the server can still write to the disk of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
