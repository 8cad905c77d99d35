/** Finds one click in ledgers and among the rejected bodies. */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { tombstoneSchema } from '#contract/click-line.schema.ts';
import { ledgerFiles, readLedger } from '../../server/clicks/ledger/read-ledger.ts';
import type { Tombstone } from '../../server/clicks/ledger/tombstone.ts';
import { warn } from '../warn.ts';

const lineSchema = z.object({
  /** Pino's time of writing, in milliseconds since 1970. */
  time: z.number().optional(),
  id: z.string(),
  visit_id: z.string().nullish(),
  seq: z.int().optional(),
  event: z.string(),
  referrer: z.string().nullable(),
  timestamp: z.string(),
  page_url: z.string(),
  user_agent: z.string(),
  sent_at: z.string().nullish(),
  remote_ip: z.string().nullish(),
  received_at: z.string(),
  via: z.string().optional(),
  is_bot: z.boolean(),
  skew_ms: z.number().nullish(),
  req_id: z.string().optional(),
  private: z.boolean().optional(),
  campaign: z.record(z.string(), z.string()).optional().catch(undefined),
});
export type TracedLine = z.infer<typeof lineSchema>;

export interface FoundLine {
  file: string;
  /** Counts from 1. */
  number: number;
  line: TracedLine;
}

/** @param paths of the ledgers @param id in lower case @returns the first line with the id, of the newest file first */
export async function findLine(paths: string[], id: string): Promise<FoundLine | null> {
  for (const file of paths.flatMap((path) => ledgerFiles(path).toReversed())) {
    const found = await findInFile(file, id, (record) => lineSchema.safeParse(record).data ?? null);
    if (found) return { file, number: found.number, line: found.value };
  }
  return null;
}

/** @returns the tombstone of a click that was forgotten */
export async function findTombstone(paths: string[], id: string): Promise<Tombstone | null> {
  for (const file of paths.flatMap((path) => ledgerFiles(path))) {
    const found = await findInFile(
      file,
      id,
      (record) => tombstoneSchema.safeParse(record).data ?? null,
    );
    if (found) return found.value;
  }
  return null;
}

const rejectedSchema = z.object({
  reason: z.string(),
  received_at: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  body: z.string(),
});

export interface Rejection {
  file: string;
  reason: string;
  receivedAt: string;
  /** Message by field. */
  fields: Record<string, string>;
}

/** @param path of the rejected bodies; their predecessor ends in `.1` */
export async function findRejection(path: string, id: string): Promise<Rejection | null> {
  for (const file of [path, `${path}.1`].filter((one) => existsSync(one))) {
    const found = await findInFile(
      file,
      id,
      (record) => rejectedSchema.safeParse(record).data ?? null,
    );
    if (!found) continue;
    const { reason, received_at, fields = {} } = found.value;
    return { file, reason, receivedAt: received_at, fields };
  }
  return null;
}

/** Parses only lines that contain the id, because a ledger has millions of others. */
async function findInFile<T>(file: string, id: string, read: (record: unknown) => T | null) {
  let number = 0;
  for await (const { lines } of readLedger(file, 0, Number.POSITIVE_INFINITY, warn)) {
    for (const text of lines) {
      number += 1;
      if (!text.includes(id)) continue;
      const record = parse(text);
      const owns = (record as { id?: unknown } | null)?.id ?? id;
      const value = owns === id ? read(record) : null;
      if (value !== null) return { number, value };
    }
  }
  return null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
