/** Waits until every click has arrived everywhere, and reads what each place has. */
import { setTimeout as wait } from 'node:timers/promises';
import { ledgerFiles, readLedger } from '../../server/clicks/ledger/read-ledger.ts';
import { query } from '../../tests/helpers/cluster/postgres.ts';
import { mergeEvents } from '../../tests/helpers/fakes/posthog-capture/event-store.ts';
import type { Layout } from '../layout/start-layout.ts';

const LOOK_MS = 200;

/** Resolves when PostHog has every click, or after the limit. */
export async function untilAtPosthog(
  { posthog }: Layout,
  made: readonly { id: string }[],
  limitMs: number,
): Promise<void> {
  await untilTrue(limitMs, () => {
    const stored = new Set(posthog.events.map(({ uuid }) => uuid));
    return made.every(({ id }) => stored.has(id));
  });
}

/** Resolves when each person has a mail, or after the limit. */
export async function untilMailed(
  { mailbox }: Layout,
  people: readonly { email: string }[],
  limitMs: number,
): Promise<void> {
  await untilTrue(limitMs, () => {
    const reached = new Set(mailbox.arrived.map(({ to }) => to));
    return people.every(({ email }) => reached.has(email));
  });
}

async function untilTrue(limitMs: number, isTrue: () => boolean): Promise<void> {
  const end = performance.now() + limitMs;
  while (!isTrue() && performance.now() < end) await wait(LOOK_MS);
}

/** The ids in each ledger and its rotated files. */
export function readLedgers({ servers }: Layout): Promise<string[][]> {
  return Promise.all(servers.map(({ ledger }) => readIds(ledger)));
}

async function readIds(ledger: string): Promise<string[]> {
  const ids: string[] = [];
  for (const file of ledgerFiles(ledger)) {
    for await (const { lines } of readLedger(file)) {
      for (const line of lines) ids.push(JSON.parse(line).id);
    }
  }
  return ids;
}

/** The time of each click's commit, and the sum of the counters. */
export async function readIndex({ databaseUrl }: Layout) {
  const rows = await query(
    databaseUrl,
    'SELECT id, extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 AS at FROM clicks',
  );
  const [sum] = await query(
    databaseUrl,
    'SELECT coalesce(sum(count), 0)::int AS n FROM clicks_per_day',
  );
  return {
    indexed: new Map(rows.map(({ id, at }) => [String(id), Number(at)])),
    counted: Number(sum?.n),
  };
}

export const readPosthog = ({ posthog }: Layout) =>
  mergeEvents(posthog.events.filter(({ event }) => event === 'cta_click'));
