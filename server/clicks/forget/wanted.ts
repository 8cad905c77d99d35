/** Decides which lines are about the visitor who wants to be forgotten, and what replaces them. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { tombstoneSchema } from '#contract/click-line.schema.ts';
import type { Tombstone } from '../ledger/tombstone.ts';
import { padTo } from './patch.ts';

/** The fields of a click's line that decide, and those that stay. */
const { forgotten_at: _, ...keptFields } = tombstoneSchema.shape;
const clickSchema = z.object({
  ...keptFields,
  visit_id: z.string().nullish().catch(undefined),
  ip: z.string().nullish().catch(undefined),
  remote_ip: z.string().nullish().catch(undefined),
});
export type FoundClick = z.infer<typeof clickSchema>;

/** What the operator asked for. */
export interface Wanted {
  /** In lower case. */
  visits: ReadonlySet<string>;
  /** As `normalAddress` writes it; null: not asked for. */
  address: string | null;
}

/** @returns the address as the server writes it; null: it is not an address */
export function normalAddress(text: string): string | null {
  const family = isIP(text);
  if (family !== 6) return family === 4 ? text : null;
  return new URL(`http://[${text.split('%')[0]}]/`).hostname.slice(1, -1);
}

const sameAddress = (text: string | null | undefined, address: string | null) =>
  typeof text === 'string' && address !== null && normalAddress(text) === address;

export const isWanted = (
  { visit_id, ip, remote_ip }: Pick<FoundClick, 'visit_id' | 'ip' | 'remote_ip'>,
  { visits, address }: Wanted,
): boolean =>
  visits.has(visit_id?.toLowerCase() ?? '') ||
  sameAddress(ip, address) ||
  sameAddress(remote_ip, address);

/** @returns null for a line that is not a click, or is a tombstone */
export function readFound(line: string): FoundClick | null {
  try {
    const record = JSON.parse(line);
    return 'forgotten_at' in record ? null : (clickSchema.safeParse(record).data ?? null);
  } catch {
    return null;
  }
}

/** @returns the line of a click's tombstone */
export function tombstoneOf(click: FoundClick, forgottenAt: string): string {
  const { id, event, received_at, is_bot } = click;
  const stone: Tombstone = { id, event, received_at, is_bot, forgotten_at: forgottenAt };
  return JSON.stringify(stone);
}

/** @param bytes length of the click's line @returns a tombstone of the same length */
export function buryClick(click: FoundClick, bytes: number, forgottenAt: string): string {
  return padTo(tombstoneOf(click, forgottenAt), bytes);
}

/** Fields of a line in refused.jsonl, whose body may be anything. */
const rejectedSchema = z.object({
  body: z.string().nullish(),
  url: z.string().nullish(),
  remote_ip: z.string().nullish(),
  received_at: z.string(),
});

/** @returns what replaces a rejected body; null: it is not about this visitor */
export function buryRejected(line: string, { visits, address }: Wanted): string | null {
  const rejected = readRejected(line);
  if (!rejected) return null;
  const { body, url, remote_ip, received_at } = rejected;
  const text = `${body ?? ''} ${url ?? ''}`.toLowerCase();
  const isNamed = [...visits].some((visit) => text.includes(visit));
  const isFrom = sameAddress(remote_ip, address) || addressesIn(text).includes(address ?? '');
  if (!isNamed && !isFrom) return null;
  return padTo(JSON.stringify({ reason: 'forgotten', received_at }), Buffer.byteLength(line));
}

function readRejected(line: string): z.infer<typeof rejectedSchema> | null {
  try {
    return rejectedSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** Addresses in a text from outside, as `normalAddress` writes them. */
const addressesIn = (text: string): (string | null)[] =>
  (text.match(/[\da-f:.]{3,45}/g) ?? []).map((word) => normalAddress(word));
