/** Reads from a ledger file when its lines were received. */
import { statSync } from 'node:fs';
import { z } from 'zod';
import { ledgerFiles, readLedger } from './read-ledger.ts';

/** Far above any line, because a click's body has at most 4 KB. */
const TAIL_BYTES = 64 * 1024;

const lineSchema = z.object({
  received_at: z.iso.datetime({ precision: 3 }),
  is_bot: z.boolean().optional(),
});

export interface LedgerSummary {
  /** Lines of people and of robots. */
  clicks: number;
  robots: number;
  /** Milliseconds since 1970; null: no line says when it was received. */
  oldestMs: number | null;
  newestMs: number | null;
  /** Lines that do not say when they were received. */
  undated: number;
}

/** Reads the whole file. */
export async function summarizeLedgerFile(file: string): Promise<LedgerSummary> {
  let [clicks, robots, undated] = [0, 0, 0];
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for await (const { lines } of readLedger(file)) {
    for (const line of lines) {
      if (line.trim() === '') continue;
      const click = readLine(line);
      if (!click) {
        undated += 1;
        continue;
      }
      const time = Date.parse(click.received_at);
      oldest = Math.min(oldest, time);
      newest = Math.max(newest, time);
      if (click.is_bot) robots += 1;
      else clicks += 1;
    }
  }
  const isDated = newest >= oldest;
  return {
    clicks,
    robots,
    oldestMs: isDated ? oldest : null,
    newestMs: isDated ? newest : null,
    undated,
  };
}

/** @returns the time of the first line that has one; null: none has, or there is no such file */
export async function firstTime(file: string): Promise<number | null> {
  if (!statSync(file, { throwIfNoEntry: false })) return null;
  for await (const { lines } of readLedger(file)) {
    const click = lines.map(readLine).find((line) => line !== null);
    if (click) return Date.parse(click.received_at);
  }
  return null;
}

/** @returns the time of the last line near the end that has one; null: none has */
async function lastTime(file: string): Promise<number | null> {
  const isPacked = file.endsWith('.gz');
  const from = isPacked ? 0 : Math.max(0, statSync(file).size - TAIL_BYTES);
  let time: number | null = null;
  for await (const { lines } of readLedger(file, from)) {
    const click = lines.map(readLine).findLast((line) => line !== null);
    if (click) time = Date.parse(click.received_at);
  }
  return time;
}

/** @returns the time of the newest line; null: there is none */
export async function newestLedgerTime(ledger: string): Promise<number | null> {
  for (const file of ledgerFiles(ledger).reverse()) {
    // The readers of the whole ledger report a damaged archive.
    const time = await lastTime(file).catch(() => null);
    if (time !== null) return time;
  }
  return null;
}

function readLine(line: string): z.infer<typeof lineSchema> | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
