/** The stream's copy of a ledger, with three real NATS nodes. */
import { appendFileSync, statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { inodeOf } from '../../server/clicks/ledger/find-position.ts';
import { firstIdOf } from '../../server/clicks/ledger/first-line.ts';
import {
  apisOf,
  connectTo,
  fetchPart,
  openNatsStream,
} from '../../server/clicks/stream/nats-stream.ts';
import { startShipper } from '../../server/clicks/stream/ship-ledger.ts';
import { startNats } from '../helpers/cluster/nats.ts';
import { line, makeLedger } from '../helpers/server/ledger-lines.ts';

const LEDGER_ID = '019c0000-0000-7000-8000-000000000001';
const OTHER_LEDGER_ID = '019c0000-0000-7000-8000-000000000002';
/** Ten in the long form of the faults (`npm run test:faults`). */
const ROUNDS = process.env.FAULTS === 'long' ? 10 : 2;
const POLL = { timeout: 60_000 };

async function nats() {
  const cluster = await startNats();
  onTestFinished(cluster.remove);
  return cluster;
}

function ship(servers: string[], path: string, ledgerId = LEDGER_ID) {
  const warnings: string[] = [];
  const shipper = startShipper({
    ledger: {
      path,
      end: () => ({ file: inodeOf(path), first: firstIdOf(path), offset: statSync(path).size }),
    },
    open: () => openNatsStream({ servers }, ledgerId),
    log: { info() {}, warn: (message) => warnings.push(message) },
  });
  onTestFinished(() => shipper.stop());
  return { ...shipper, warnings };
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => line(from + i, {}));

test('the stream gets each line once, in order, also through restarts and lost leaders', async () => {
  const { servers, messages, leader } = await nats();
  const { ledger } = makeLedger(...lines(0, 250));
  let shipper = ship(servers, ledger);
  await expect
    .poll(
      () =>
        shipper.caughtUp().then(
          () => true,
          () => false,
        ),
      POLL,
    )
    .toBe(true);
  for (let round = 0; round < ROUNDS; round++) {
    const from = 250 + round * 300;
    appendFileSync(
      ledger,
      lines(from, from + 150)
        .map((text) => `${text}\n`)
        .join(''),
    );
    const moved = shipper.caughtUp().catch(() => {});
    const node = await leader();
    await node.kill();
    appendFileSync(
      ledger,
      lines(from + 150, from + 300)
        .map((text) => `${text}\n`)
        .join(''),
    );
    shipper.wake();
    await moved;
    if (round % 2 === 1) {
      await shipper.stop();
      shipper = ship(servers, ledger);
    }
    node.restart();
  }
  await expect
    .poll(
      () =>
        shipper.caughtUp().then(
          () => true,
          () => false,
        ),
      POLL,
    )
    .toBe(true);
  const all = await messages();
  expect(all.map(({ text }) => text).toSorted()).toEqual(lines(0, 250 + ROUNDS * 300).toSorted());
}, 180_000);

test('a node that lost its store gets it again, and a lost stream is filled from each ledger, also of a server without new clicks', async () => {
  const { servers, messages, nodes } = await nats();
  const [idle, busy] = [makeLedger(...lines(0, 50)), makeLedger(...lines(50, 500))];
  const first = ship(servers, idle.ledger);
  const second = ship(servers, busy.ledger, OTHER_LEDGER_ID);
  const done = () =>
    Promise.all([first.caughtUp(), second.caughtUp()]).then(
      () => true,
      () => false,
    );
  await expect.poll(done, POLL).toBe(true);
  await nodes[0]?.kill();
  nodes[0]?.deleteStore();
  nodes[0]?.restart();
  await expect.poll(done, POLL).toBe(true);
  expect(await messages()).toHaveLength(500);
  await Promise.all(nodes.map((node) => node.kill()));
  for (const node of nodes) node.deleteStore();
  for (const node of nodes) node.restart();
  appendFileSync(busy.ledger, `${line(500, {})}\n`);
  second.wake();
  const texts = async () => (await messages()).map(({ text }) => text).toSorted();
  await expect.poll(texts, POLL).toEqual(lines(0, 501));
}, 180_000);

test('a reader gets an error if the stream stops to answer', async () => {
  const { servers, nodes } = await nats();
  const shipper = ship(servers, makeLedger(...lines(0, 10)).ledger);
  await expect.poll(() => shipper.caughtUp().then(() => true, String), POLL).toBe(true);
  const connection = await connectTo({ servers });
  onTestFinished(() => connection.close());
  const consumer = await (await apisOf(connection)).client.consumers.get('clicks');
  await Promise.all(nodes.map((node) => node.kill()));
  await expect(fetchPart(consumer, { messages: 10, patienceMs: 1_000 })).rejects.toThrow(
    'does not answer',
  );
}, 180_000);
