/** `clicks forget` with a real stream of three nodes. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../server/database/new-id.ts';
import { startNats } from '../helpers/cluster/nats.ts';
import { query, startPostgres } from '../helpers/cluster/postgres.ts';
import { postClick } from '../helpers/server/post-click.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';
import { LONG } from '../helpers/server/server-process.ts';

const VISIT = '019c1234-5678-7abc-8def-00000000cafe';
type Site = Awaited<ReturnType<typeof startApp>>;

async function startNodes() {
  const nats = await startNats();
  onTestFinished(nats.remove);
  const env = { STREAM_URL: nats.url };
  const ids = async () => (await nats.messages()).map(({ id }) => id).toSorted();
  return {
    ...nats,
    env,
    ids,
    untilShipped: (all: string[]) => expect.poll(ids).toEqual(all.toSorted()),
    /** Every file in which a node keeps the stream, without its replication log. */
    onDisk: () =>
      nats.stores.map((store) =>
        globSync('jetstream/$G/streams/clicks/**/*.blk', { cwd: store })
          .map((file) => readFileSync(join(store, file), 'latin1'))
          .join(''),
      ),
  };
}

async function click(site: Site, visit_id: string): Promise<string> {
  const id = newId();
  expect((await postClick(site, makeBody({ id, visit_id }))).statusCode).toBe(200);
  return id;
}

const forget = (site: Site, env: Record<string, string>, ...args: string[]) =>
  runCli('clicks.ts', ['forget', ...args], { ...env, DATA_DIR: site.config.dataDir });

test('a visit leaves the stream on each node, the stream goes on, and a lost stream gets tombstones', async () => {
  const nats = await startNodes();
  const site = await startApp({ env: nats.env });
  const other = await click(site, newId());
  // The visitor's line is the last one of the stream.
  const gone = [await click(site, VISIT), await click(site, VISIT)];
  await nats.untilShipped([other, ...gone]);
  expect(nats.onDisk().every((text) => text.includes(VISIT))).toBe(true);

  const dry = await forget(site, nats.env, '--visit', VISIT, '--dry-run');
  expect(dry.out).toContain('2 clicks of 1 visits');
  const { out } = await forget(site, nats.env, '--visit', VISIT);
  expect(out).toContain('Replaced 2 clicks in the stream');
  expect(out).toContain('stream:sink');
  const found = await nats.messages();
  expect(found.map(({ text }) => text).join('\n')).not.toContain(VISIT);
  expect(found.filter(({ text }) => text.includes('forgotten_at'))).toHaveLength(2);
  await expect.poll(() => nats.onDisk().filter((text) => text.includes(VISIT))).toEqual([]);

  // After a restart nothing is sent again, and nothing is left out.
  await site.close();
  const next = await startApp({ env: nats.env, dataDir: site.config.dataDir });
  const all = [other, ...gone, await click(next, newId())];
  await nats.untilShipped(all);

  await Promise.all(nats.nodes.map((node) => node.kill()));
  for (const node of nats.nodes) node.deleteStore();
  for (const node of nats.nodes) node.restart();
  all.push(await click(next, newId()));
  await nats.untilShipped(all);
  expect((await nats.messages()).map(({ text }) => text).join('\n')).not.toContain(VISIT);
});

test.runIf(LONG)('a node that was away forgets the visit when it is back', async () => {
  const nats = await startNodes();
  const site = await startApp({ env: nats.env });
  const all = [await click(site, VISIT), await click(site, newId())];
  await nats.untilShipped(all);
  await nats.nodes[0]?.kill();
  // Until the others have a leader, the command asks to be run again.
  const run = async () => (await forget(site, nats.env, '--visit', VISIT)).out;
  await expect.poll(run, { timeout: 120_000 }).toContain('Replaced 1 clicks');
  nats.nodes[0]?.restart();
  await expect.poll(() => nats.onDisk().filter((text) => text.includes(VISIT))).toEqual([]);
});

test('the stream has clicks of a lost server: they are forgotten too, also in PostgreSQL, and another ledger is named', async () => {
  const nats = await startNodes();
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const warehouse = await postgres.createDatabase();
  const copy = () => runCli('stream-sink.ts', ['--to', warehouse, '--once'], nats.env);
  const sites = [await startApp({ env: nats.env }), await startApp({ env: nats.env })] as const;
  const all = [await click(sites[0], newId()), await click(sites[1], VISIT)];
  await nats.untilShipped(all);
  await copy();

  const { out } = await forget(sites[0], nats.env, '--visit', VISIT);
  expect(out).toContain('Forgot 1 clicks');
  expect(out).toContain('1 other ledgers');
  await copy();
  const rows = await query(warehouse, 'SELECT line::text FROM click_lines');
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(VISIT);
});

test('without an answer of the stream nothing is forgotten, and the operator learns why', async () => {
  const site = await startApp();
  await click(site, VISIT);
  const { err, code } = await forget(site, { STREAM_URL: 'nats://127.0.0.1:1' }, '--visit', VISIT);
  expect(code).toBe(1);
  expect(err).toContain('does not answer');
  expect(JSON.stringify(site.lines())).toContain(VISIT);
});
