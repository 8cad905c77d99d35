/** Three servers behind nginx, three NATS nodes, and clicks under way. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
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
  /** Ids on disks that were deleted. */
  const deleted = new Set<string>();
  return { ack, nats, cluster, load, stop, deleted };
}

/** A machine is gone for good: the server's process and its folder. */
export async function loseServer({ cluster, deleted }: Stage, i: number): Promise<void> {
  const ledger = cluster.ledgers[i] ?? '';
  await cluster.killServer(i);
  for (const id of await storedIds(ledger)) deleted.add(id);
  rmSync(dirname(ledger), { recursive: true });
}

/** Restarts the server with an empty data folder on a small disk of its own. Needs root. */
export async function moveToSmallDisk({ cluster }: Stage, i: number): Promise<string> {
  const folder = dirname(cluster.ledgers[i] ?? '');
  await cluster.killServer(i);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  await cluster.restartServer(i);
  return folder;
}

/** Compares the acknowledged clicks with the stream and the index. `stored` counts ids in the stream. */
export async function count(stage: Stage) {
  const { nats, cluster, load, deleted } = stage;
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
    /** Lines of deleted disks that the stream does not have. */
    unshipped: [...deleted].filter((id) => !stored.has(id)).length,
    lost: lost.length,
    lostElsewhere: lost.filter((id) => !deleted.has(id)).length,
    twice: ids.length - stored.size,
    /** Clicks that the statistics count twice. */
    countedTwice: Number(index?.counted) - Number(index?.indexed),
    notIndexed: Math.max(0, acked.length - Number(index?.indexed)),
  };
}

/** With ACK=disk the copies come after the answers. */
async function untilShipped({ ack, nats, deleted }: Stage, acked: string[]): Promise<void> {
  if (ack === 'replicated') return;
  const missing = async () => {
    const stored = new Set((await nats.messages()).map(({ id }) => id));
    return acked.filter((id) => !stored.has(id) && !deleted.has(id)).length;
  };
  await expect.poll(missing, { interval: 500 }).toBe(0);
}
