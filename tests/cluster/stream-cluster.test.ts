/**
 * Machines are lost under load, one kind after the other. With ACK=replicated the stream has every confirmed click, and none twice.
 *
 *   FAULTS=long SEED=7 npm run test:cluster -- stream-cluster     also cuts the network and fills a disk; needs root. Prints a table
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeNetwork } from '../helpers/cluster/network.ts';
import {
  count,
  loseServer,
  moveToSmallDisk,
  type Stage,
  startStage,
} from '../helpers/cluster/stream-stage.ts';
import { fillDisk } from '../helpers/run/fill-disk.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { untilAcked, untilAnswered } from '../helpers/server/server-load.ts';
import { LONG, storedIds } from '../helpers/server/server-process.ts';

const SEED = Number(process.env.SEED ?? 1);
const NOTHING_LOST = { lost: 0, twice: 0, countedTwice: 0, notIndexed: 0 };
/** A node that is away for longer than a leader's term. */
const OUTAGE_CLICKS = 300;

type Fault = (stage: Stage, pick: (n: number) => number) => Promise<void>;

const ALWAYS: Record<string, Fault> = {
  async 'a server and its disk are lost'(stage, pick) {
    const i = pick(3);
    await loseServer(stage, i);
    await untilAcked(stage.load, OUTAGE_CLICKS);
    await stage.cluster.restartServer(i);
  },
  async 'a node and its store are lost'({ nats, load }, pick) {
    const node = nats.nodes[pick(3)];
    await node?.kill();
    node?.deleteStore();
    await untilAcked(load, OUTAGE_CLICKS);
    node?.restart();
  },
  async 'the leader is killed'({ nats, load }) {
    for (let round = 0; round < (LONG ? 10 : 1); round += 1) {
      const leader = await nats.leader();
      await leader.kill();
      await untilAcked(load, OUTAGE_CLICKS);
      leader.restart();
    }
  },
  async 'all nodes are away, and clicks get 503'({ nats, load }) {
    await Promise.all(nats.nodes.map((node) => node.kill()));
    await untilAnswered(load, 503, 200);
    for (const node of nats.nodes) node.restart();
  },
  async 'everything restarts at once'({ nats, cluster }) {
    const all = [...cluster.servers.keys()];
    await Promise.all([
      ...nats.nodes.map((node) => node.kill()),
      ...all.map((i) => cluster.killServer(i)),
      cluster.postgres.kill(),
      cluster.redis.kill(),
    ]);
    for (const node of nats.nodes) node.restart();
    await Promise.all([cluster.postgres.restart(), cluster.redis.restart()]);
    await Promise.all(all.map((i) => cluster.restartServer(i)));
  },
};

/** They need root, and rights that a container may lack. */
const LONG_ONLY: Record<string, Fault> = {
  async 'a server’s disk is full'(stage, pick) {
    const i = pick(3);
    const folder = await moveToSmallDisk(stage, i);
    await untilAcked(stage.load, OUTAGE_CLICKS);
    fillDisk(join(folder, 'filler'));
    await untilAcked(stage.load, OUTAGE_CLICKS);
    writeFileSync(join(folder, 'filler'), '');
  },
};

test('with ACK=replicated no confirmed click is lost or double, whatever machine is lost', async () => {
  const network = LONG ? makeNetwork() : null;
  onTestFinished(() => network?.remove());
  const stage = await startStage('replicated', network?.hosts);
  const { load, stop } = stage;
  const faults: Record<string, Fault> = { ...ALWAYS, ...(LONG && LONG_ONLY) };
  if (network)
    faults['two nodes do not reach each other'] = async () => {
      network.cut();
      await untilAcked(load, OUTAGE_CLICKS);
      network.heal();
    };
  const pick = makePick(SEED);
  const rows: string[] = [];
  for (const [name, fault] of Object.entries(faults)) {
    const before = load.acked.size;
    await untilAcked(load, 50 + pick(200));
    await fault(stage, pick);
    await untilAcked(load, 200);
    rows.push(await rowOf(name, stage, before));
  }
  await stop();
  if (LONG) process.stdout.write(`Seed ${SEED}\n${rows.join('\n')}\n`);
  const figures = await count(stage);
  expect(figures).toMatchObject(NOTHING_LOST);
  await expectCommands(stage, figures.stored);
}, 900_000);

async function rowOf(name: string, stage: Stage, before: number): Promise<string> {
  const acked = [...stage.load.acked];
  const stored = (await stage.nats.messages()).map(({ id }) => id);
  const unique = new Set(stored);
  const lost = acked.filter((id) => !unique.has(id)).length;
  return `| ${name} | ${acked.length - before} | ${unique.size} | ${lost} | ${stored.length - unique.size} |`;
}

/** The commands read the stream as they read ledgers, also after a machine was lost. */
async function expectCommands({ nats, cluster }: Stage, total: number): Promise<void> {
  const env = { ...cluster.env, STREAM_URL: nats.url };
  const run = (...args: string[]) => runCli('clicks.ts', [...args, '--stream'], env);
  expect((await run('report', '--format', 'jsonl')).out).toContain(`${total}`);
  expect(await run('verify')).toMatchObject({ code: 0 });
  await Promise.all(cluster.servers.keys().map((i) => cluster.killServer(i)));
  expect(await run('rebuild')).toMatchObject({ code: 0 });
}

test('with ACK=disk a lost disk loses only what the stream had not got yet', async () => {
  const stage = await startStage('disk');
  const { nats, cluster, load, stop } = stage;
  await Promise.all(nats.nodes.map((one) => one.kill()));
  await untilAcked(load, OUTAGE_CLICKS);
  await stop();
  const own = await storedIds(cluster.ledgers[0] ?? '');
  await loseServer(stage, 0);
  for (const one of nats.nodes) one.restart();
  await cluster.restartServer(0);
  // The others ship what their ledgers have.
  const others = (await Promise.all(cluster.ledgers.slice(1).map(storedIds))).flat();
  let shipped = new Set<string>();
  await expect
    .poll(async () => {
      shipped = new Set((await nats.messages()).map(({ id }) => id));
      return others.filter((id) => !shipped.has(id));
    })
    .toEqual([]);
  const lost = [...load.acked].filter((id) => !shipped.has(id));
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.filter((id) => !own.includes(id))).toEqual([]);
}, 300_000);

/** Repeats the same choices for the same seed: a linear congruential generator. */
function makePick(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}
