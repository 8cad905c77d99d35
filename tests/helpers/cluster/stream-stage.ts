/** Three servers behind nginx, three NATS nodes, and clicks under way. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { makeLoad, startLoad, untilAcked } from '../server/server-load.ts';
import { storedIds } from '../server/server-process.ts';
import { startCluster } from './cluster.ts';
import { type NatsHost, startNats } from './nats.ts';
import { query } from './postgres.ts';

export type Stage = Awaited<ReturnType<typeof startStage>>;
export type Ack = 'disk' | 'replicated';

/** Pause of a client whose click was not confirmed. A browser's is longer. */
const CLIENT_PAUSE_MS = 100;

export async function startStage(ack: Ack, hosts?: readonly NatsHost[]) {
  const nats = await startNats(hosts);
  onTestFinished(nats.remove);
  const cluster = await startCluster({ STREAM_URL: nats.url, ACK: ack });
  const load = makeLoad();
  const stop = startLoad(cluster.url, load, { pauseMs: CLIENT_PAUSE_MS });
  onTestFinished(stop);
  await untilAcked(load, 200);
  /** Ids on deleted disks that the stream had not got. */
  const unshipped = new Set<string>();
  return { ack, nats, cluster, load, stop, unshipped };
}

/** A machine is gone for good: the server's process and its folder. @returns the ids that were on its disk */
export async function loseServer({ cluster }: Stage, i: number): Promise<string[]> {
  const ledger = cluster.ledgers[i] ?? '';
  await cluster.killServer(i);
  const ids = await storedIds(ledger);
  rmSync(dirname(ledger), { recursive: true });
  return ids;
}

/** Notes which of these ids the stream does not have. Only they may be lost. */
export async function noteUnshipped({ nats, unshipped }: Stage, ids: string[]): Promise<void> {
  const shipped = new Set((await nats.messages()).map(({ id }) => id));
  for (const id of ids) if (!shipped.has(id)) unshipped.add(id);
}

/** Restarts the server with its data folder on a small disk of its own. Needs root. */
export async function moveToSmallDisk({ cluster }: Stage, i: number): Promise<string> {
  const folder = dirname(cluster.ledgers[i] ?? '');
  await cluster.killServer(i);
  const copy = `${folder}-copy`;
  renameSync(folder, copy);
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  cpSync(copy, folder, { recursive: true });
  rmSync(copy, { recursive: true });
  await cluster.restartServer(i);
  return folder;
}

/** Compares the acknowledged clicks with the stream and the index. `stored` counts ids in the stream. */
export async function count(stage: Stage) {
  const { nats, cluster, load, unshipped } = stage;
  const acked = [...load.acked];
  await untilShipped(stage, acked);
  const ids = (await nats.messages()).map(({ id }) => id);
  const stored = new Set(ids);
  const [index] = await query(
    cluster.databaseUrl,
    `SELECT (SELECT sum(count) FROM clicks_per_day)::int AS counted,
            (SELECT count(*) FROM clicks)::int AS indexed`,
  );
  const lost = acked.filter((id) => !stored.has(id));
  return {
    acknowledged: acked.length,
    stored: stored.size,
    unshipped: unshipped.size,
    lost: lost.length,
    lostElsewhere: lost.filter((id) => !unshipped.has(id)).length,
    twice: ids.length - stored.size,
    /** Clicks that the statistics count twice. */
    countedTwice: Number(index?.counted) - Number(index?.indexed),
    notIndexed: Math.max(0, acked.length - Number(index?.indexed)),
  };
}

/** With ACK=disk the copies come after the answers. */
async function untilShipped({ ack, nats, unshipped }: Stage, acked: string[]): Promise<void> {
  if (ack === 'replicated') return;
  const missing = async () => {
    const stored = new Set((await nats.messages()).map(({ id }) => id));
    return acked.filter((id) => !stored.has(id) && !unshipped.has(id)).length;
  };
  await expect.poll(missing, { interval: 500 }).toBe(0);
}
