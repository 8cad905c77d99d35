/** Three servers behind nginx, three NATS nodes, and clicks under way. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeLoad, startLoad, untilAcked } from '../server/server-load.ts';
import { startCluster } from './cluster.ts';
import { type NatsHost, startNats } from './nats.ts';
import { query } from './postgres.ts';

export type Stage = Awaited<ReturnType<typeof startStage>>;

export async function startStage(ack: 'disk' | 'replicated', hosts?: readonly NatsHost[]) {
  const nats = await startNats(hosts);
  onTestFinished(nats.remove);
  const cluster = await startCluster({ STREAM_URL: nats.url, ACK: ack });
  const load = makeLoad();
  const stop = startLoad(cluster.url, load);
  onTestFinished(stop);
  await untilAcked(load, 200);
  return { nats, cluster, load, stop };
}

/** A machine is gone for good: the server's process and its folder. */
export async function loseServer({ cluster }: Stage, i: number): Promise<void> {
  await cluster.killServer(i);
  rmSync(folderOf(cluster.ledgers[i]), { recursive: true });
}

/** Restarts the server with an empty data folder on a small disk of its own. Needs root. */
export async function moveToSmallDisk({ cluster }: Stage, i: number): Promise<string> {
  const folder = folderOf(cluster.ledgers[i]);
  await cluster.killServer(i);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  await cluster.restartServer(i);
  return folder;
}

const folderOf = (ledger = '') => dirname(ledger);

/** Compares the acknowledged clicks with the stream and the index. `stored` counts ids in the stream. */
export async function count({ nats, cluster, load }: Stage) {
  const ids = (await nats.messages()).map(({ id }) => id);
  const stored = new Set(ids);
  const [index] = await query(
    cluster.databaseUrl,
    `SELECT (SELECT sum(count) FROM clicks_per_day)::int AS counted,
            (SELECT count(*) FROM clicks)::int AS indexed`,
  );
  return {
    acknowledged: load.acked.size,
    stored: stored.size,
    lost: [...load.acked].filter((id) => !stored.has(id)).length,
    twice: ids.length - stored.size,
    /** Clicks that the statistics count twice. */
    countedTwice: Number(index?.counted) - Number(index?.indexed),
    notIndexed: Math.max(0, load.acked.size - Number(index?.indexed)),
  };
}
