/** Three servers behind nginx that confirm a click only when the stream has it too. Machines are lost under load. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../helpers/cluster/cluster.ts';
import { startNats } from '../helpers/cluster/nats.ts';
import { query } from '../helpers/cluster/postgres.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeLoad, startLoad, untilAcked, untilAnswered } from '../helpers/server/server-load.ts';
import { storedIds } from '../helpers/server/server-process.ts';

async function startAll(ack: 'disk' | 'replicated') {
  const nats = await startNats();
  onTestFinished(nats.remove);
  const cluster = await startCluster({ STREAM_URL: nats.url, ACK: ack });
  const load = makeLoad();
  const stop = startLoad(cluster.url, load);
  onTestFinished(stop);
  await untilAcked(load, 200);
  return { nats, cluster, load, stop };
}

/** A machine that is gone for good: the server's process and its folder. */
async function loseServer({ cluster }: Awaited<ReturnType<typeof startAll>>, i: number) {
  const folder = dirname(cluster.ledgers[i] ?? '');
  await cluster.killServer(i);
  rmSync(folder, { recursive: true });
}

/** Expects each acknowledged click in the stream and in the index, and none twice. */
async function expectExact({ nats, cluster, load }: Awaited<ReturnType<typeof startAll>>) {
  const inStream = (await nats.messages()).map(({ id }) => id);
  const ids = new Set(inStream);
  const index = await countsOf(cluster.databaseUrl);
  const lost = [...load.acked].filter((id) => !ids.has(id));
  expect({ lost, twice: inStream.length - ids.size }).toEqual({ lost: [], twice: 0 });
  expect(index?.counted).toBe(index?.indexed);
  expect(index?.indexed).toBeGreaterThanOrEqual(load.acked.size);
}

test('with ACK=replicated no confirmed click is lost with a server’s disk, a node’s store or a leader', async () => {
  const all = await startAll('replicated');
  const { nats, cluster, load, stop } = all;

  await loseServer(all, 0);
  await untilAcked(load, 300);
  await cluster.restartServer(0);
  await untilAcked(load, 300);

  const [node] = nats.nodes;
  await node?.kill();
  node?.deleteStore();
  await untilAcked(load, 300);
  node?.restart();
  await untilAcked(load, 300);

  const leader = await nats.leader();
  await leader.kill();
  await untilAcked(load, 300);
  leader.restart();
  await untilAcked(load, 300);

  await Promise.all(nats.nodes.map((one) => one.kill()));
  await untilAnswered(load, 503, 200);
  for (const one of nats.nodes) one.restart();
  await untilAcked(load, 300);
  await stop();
  await expectExact(all);

  // The commands read the stream as they read ledgers, also after a machine was lost.
  const total = (await nats.messages()).length;
  const env = { ...cluster.env, STREAM_URL: nats.url };
  const run = (...args: string[]) => runCli('clicks.ts', [...args, '--stream'], env);
  expect((await run('report', '--format', 'jsonl')).out).toContain(`${total}`);
  expect(await run('verify')).toMatchObject({ code: 0 });
  await Promise.all(cluster.servers.keys().map((i) => cluster.killServer(i)));
  expect(await run('rebuild')).toMatchObject({ code: 0 });
  expect(await countsOf(cluster.databaseUrl)).toEqual({ counted: total, indexed: total });
}, 300_000);

test('with ACK=disk a lost disk loses only what the stream had not got yet; the commands read the rest', async () => {
  const all = await startAll('disk');
  const { nats, cluster, load, stop } = all;
  await Promise.all(nats.nodes.map((one) => one.kill()));
  await untilAcked(load, 300);
  await stop();
  const own = await storedIds(cluster.ledgers[0] ?? '');
  await loseServer(all, 0);
  for (const one of nats.nodes) one.restart();
  await cluster.restartServer(0);
  // The others ship what their ledgers have.
  const others = (await Promise.all(cluster.ledgers.slice(1).map(storedIds))).flat();
  const inStream = async () => new Set((await nats.messages()).map(({ id }) => id));
  const missing = async () => others.filter((id) => !shipped.has(id));
  let shipped = await inStream();
  await expect
    .poll(async () => {
      shipped = await inStream();
      return missing();
    })
    .toEqual([]);
  const lost = [...load.acked].filter((id) => !shipped.has(id));
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.filter((id) => !own.includes(id))).toEqual([]);
}, 300_000);

const countsOf = async (databaseUrl: string) => {
  const [row] = await query(
    databaseUrl,
    `SELECT (SELECT sum(count) FROM clicks_per_day)::int AS counted,
            (SELECT count(*) FROM clicks)::int AS indexed`,
  );
  return row;
};
