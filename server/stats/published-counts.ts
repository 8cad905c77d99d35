/**
 * The counts that the statistics show: those at the end of the last full period. With live counts, somebody who sees a person's
 * connection to the site could tell by polling whether that person pressed a button.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { ClickCounts } from '../clicks/index/click-index.ts';

/** How often a new period is noticed. */
const CHECK_MS = 1000;

export interface PublishedCounts {
  /** @throws (rejects with) the error of the index if nothing was published yet */
  counts(): Promise<ClickCounts>;
  stop(): void;
}

interface Options {
  readCounts: () => Promise<ClickCounts>;
  /** Keeps the counts over a restart, which would otherwise publish newer ones. */
  file: string;
  /** Length of a period, from the start of the hour on; 0: counts are live. */
  periodMs: number;
}

interface Published {
  /** Number of the period that began when the counts were read. */
  period: number;
  counts: ClickCounts;
}

/** Publishes counts now, unless this period has some, and at the start of each period. */
export function publishCounts({ readCounts, file, periodMs }: Options): PublishedCounts {
  if (periodMs === 0) return { counts: readCounts, stop() {} };
  const periodNow = () => Math.floor(Date.now() / periodMs);
  let published = readPublished(file, periodNow());
  let publishing: Promise<void> | null = null;
  const read = async () => {
    const period = periodNow();
    try {
      published = { period, counts: copyOf(await readCounts()) };
      writePublished(file, published);
    } finally {
      publishing = null;
    }
  };
  /** Once at a time, because a second reading would publish newer counts. */
  const publish = () => {
    publishing ??= read();
    return publishing;
  };
  const publishIfDue = () => {
    // Later, if the index cannot be read now. Until then the last counts stay.
    if (published?.period !== periodNow()) publish().catch(() => {});
  };
  publishIfDue();
  const timer = setInterval(publishIfDue, CHECK_MS).unref();
  return {
    async counts() {
      if (!published) await publish();
      return (published as Published | null)?.counts ?? readCounts();
    },
    stop: () => clearInterval(timer),
  };
}

/** The index may count on in its own maps. */
const copyOf = ({ total, perDay }: ClickCounts): ClickCounts => ({
  total: new Map(total),
  perDay: new Map([...perDay].map(([day, counts]) => [day, new Map(counts)])),
});

const count = z.int().nonnegative();
const publishedSchema = z.object({
  period: count,
  total: z.record(z.string(), count),
  perDay: z.record(z.string(), z.record(z.string(), count)),
});

/** @returns null if there is no file of this period, or if it is not whole */
function readPublished(file: string, period: number): Published | null {
  try {
    const { total, perDay, ...read } = publishedSchema.parse(
      JSON.parse(readFileSync(file, 'utf8')),
    );
    if (read.period !== period) return null;
    const counts = {
      total: new Map(Object.entries(total)),
      perDay: new Map(Object.entries(perDay).map(([day, n]) => [day, new Map(Object.entries(n))])),
    };
    return { period, counts };
  } catch {
    return null;
  }
}

/** Without room on the disk, a restart publishes once more in this period. */
function writePublished(file: string, { period, counts: { total, perDay } }: Published): void {
  const days = [...perDay].map(([day, counts]) => [day, Object.fromEntries(counts)]);
  const record = {
    period,
    total: Object.fromEntries(total),
    perDay: Object.fromEntries(days),
  };
  try {
    writeFileSync(`${file}.new`, JSON.stringify(record), { mode: 0o640 });
    renameSync(`${file}.new`, file);
  } catch {
    // The server reports a full disk elsewhere.
  }
}
