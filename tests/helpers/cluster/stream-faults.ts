/** Ways to lose machines under load, for tests with a stream. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillDisk } from '../run/fill-disk.ts';
import { untilAcked, untilAnswered } from '../server/server-load.ts';
import type { makeNetwork } from './network.ts';
import { loseServer, moveToSmallDisk, noteUnshipped, type Stage } from './stream-stage.ts';

/** A node that is away for longer than a leader's term. */
const OUTAGE_CLICKS = 300;

export type Fault = (stage: Stage, pick: (n: number) => number) => Promise<void>;

export const loseOneServer: Fault = async (stage, pick) => {
  const i = pick(3);
  await noteUnshipped(stage, await loseServer(stage, i));
  await untilAcked(stage.load, OUTAGE_CLICKS);
  await stage.cluster.restartServer(i);
};

export const loseOneNode: Fault = async ({ nats, load }, pick) => {
  const node = nats.nodes[pick(3)];
  await node?.kill();
  node?.deleteStore();
  await untilAcked(load, OUTAGE_CLICKS);
  node?.restart();
};

export const killLeader =
  (times: number): Fault =>
  async ({ nats, load }) => {
    for (let round = 0; round < times; round += 1) {
      const leader = await nats.leader();
      await leader.kill();
      await untilAcked(load, OUTAGE_CLICKS);
      leader.restart();
    }
  };

/** With ACK=replicated clicks get 503 meanwhile. */
export const stopAllNodes: Fault = async ({ ack, nats, load }) => {
  await Promise.all(nats.nodes.map((node) => node.kill()));
  if (ack === 'replicated') await untilAnswered(load, 503, 200);
  else await untilAcked(load, OUTAGE_CLICKS);
  for (const node of nats.nodes) node.restart();
};

/** The lines of the last moments are on that disk only. For ACK=disk. */
export const loseServerWithoutNodes: Fault = async (stage, pick) => {
  const { nats, load, cluster } = stage;
  const i = pick(3);
  await Promise.all(nats.nodes.map((node) => node.kill()));
  await untilAcked(load, OUTAGE_CLICKS);
  const ids = await loseServer(stage, i);
  for (const node of nats.nodes) node.restart();
  await noteUnshipped(stage, ids);
  await cluster.restartServer(i);
};

export const restartEverything: Fault = async ({ nats, cluster }) => {
  const all = [...cluster.servers.keys()];
  await Promise.all([
    ...nats.nodes.map((node) => node.kill()),
    ...all.map((i) => cluster.killServer(i)),
    cluster.postgres.kill(),
    cluster.redis.kill(),
    cluster.nginx.stop(),
  ]);
  for (const node of nats.nodes) node.restart();
  await Promise.all([cluster.postgres.restart(), cluster.redis.restart(), cluster.nginx.restart()]);
  await Promise.all(all.map((i) => cluster.restartServer(i)));
};

export const fillOneDisk: Fault = async (stage, pick) => {
  const i = pick(3);
  const folder = await moveToSmallDisk(stage, i);
  await untilAcked(stage.load, OUTAGE_CLICKS);
  fillDisk(join(folder, 'filler'));
  await untilAcked(stage.load, OUTAGE_CLICKS);
  writeFileSync(join(folder, 'filler'), '');
};

export const cutNetwork =
  (network: ReturnType<typeof makeNetwork>): Fault =>
  async ({ load }) => {
    network.cut();
    await untilAcked(load, OUTAGE_CLICKS);
    network.heal();
  };

/** Repeats the same choices for the same seed: a linear congruential generator. */
export function makePick(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}
