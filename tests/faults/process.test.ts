import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { newId } from '../../server/database/new-id.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { expectKept, readTotal } from '../helpers/server/server-check.ts';
import { makeLoad, sendClick, startLoad, untilAcked } from '../helpers/server/server-load.ts';
import { type ServerProcess, startServer } from '../helpers/server/server-process.ts';

const ROUNDS = 3;
/** So many that reading them takes a second or more. */
const REBUILT = 400_000;
const anyNumber = (max: number) => Math.ceil(Math.random() * max);

test(`SIGKILL under load, ${ROUNDS} times on one ledger: no acknowledged click is lost, none is there twice`, async () => {
  const load = makeLoad();
  let server = await startServer();
  const { dataDir, ledger } = server;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const stop = startLoad(server.url, load);
    await untilAcked(load, anyNumber(600));
    await server.stop('SIGKILL');
    await stop();
    server = await startServer({ dataDir });
  }
  const stored = await expectKept(ledger, load);
  expect(await readTotal(server.url)).toBe(stored);
  expect([...load.others]).toEqual([]);
  process.stdout.write(
    `${ROUNDS} kills: ${load.acked.size} acknowledged, ${stored} stored, 0 lost, 0 twice\n`,
  );
});

test('SIGTERM under load: the server ends by itself, and has every acknowledged click', async () => {
  const load = makeLoad();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const server = await startServer();
    const stop = startLoad(server.url, load);
    await untilAcked(load, anyNumber(600));
    // After its time limit of two seconds it would exit with 1.
    expect(await server.stop('SIGTERM')).toBe(0);
    await stop();
    await expectKept(server.ledger, load);
    load.acked.clear();
  }
  expect([...load.others]).toEqual([]);
});

test('rotation under load with SIGHUP: every click is in one of the files, once', async () => {
  const load = makeLoad();
  const server = await startServer();
  const stop = startLoad(server.url, load);
  for (let round = 1; round <= ROUNDS; round += 1) {
    await untilAcked(load, 200);
    renameSync(server.ledger, `${server.ledger}.${round}`);
    await untilAcked(load, anyNumber(200));
    server.child.kill('SIGHUP');
  }
  await untilAcked(load, 200);
  await stop();
  await server.stop('SIGKILL');
  const stored = await expectKept(server.ledger, load);
  const again = await startServer({ dataDir: server.dataDir });
  expect(await readTotal(again.url)).toBe(stored);
  expect([...load.others]).toEqual([]);
});

test.each([
  ['deleted', (file: string) => rmSync(file)],
  ['overwritten', (file: string) => writeFileSync(file, 'x'.repeat(100_000))],
])(
  'the index is %s after a SIGKILL: the server rebuilds it with every id',
  async (_how, damage) => {
    const load = makeLoad();
    const first = await startServer();
    const stop = startLoad(first.url, load);
    await untilAcked(load, 500);
    await first.stop('SIGKILL');
    await stop();
    damage(join(first.dataDir, 'site.sqlite'));

    const second = await startServer({ dataDir: first.dataDir });
    const stored = await expectKept(first.ledger, load);
    expect(await readTotal(second.url)).toBe(stored);
    for (const id of [...load.acked].slice(0, 50))
      expect(await sendClick(second.url, id)).toBe(200);
    expect(await expectKept(first.ledger, load)).toBe(stored);
  },
);

test('a rebuild from a packed ledger: pages at once, clicks 503 until its end; it survives SIGHUP, SIGKILL and SIGTERM', async () => {
  const dataDir = makeDataDir();
  const lines = Array.from({ length: REBUILT }, (_, n) =>
    JSON.stringify({
      id: `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`,
      event: 'hero_cta_click',
      received_at: new Date().toISOString(),
    }),
  );
  writeFileSync(join(dataDir, 'clicks.jsonl.1.gz'), gzipSync(`${lines.join('\n')}\n`));
  const isCatchingUp = async ({ url }: ServerProcess) => {
    const health = await fetch(`${url}/healthz`);
    const { faults } = (await health.json()) as { faults?: { clicks: string } };
    return health.status === 503 && faults?.clicks === 'catching_up';
  };

  const first = await startServer({ dataDir, caughtUp: false });
  expect((await fetch(first.url)).status).toBe(200);
  expect(await sendClick(first.url, newId())).toBe(503);
  expect((await fetch(`${first.url}/api/stats`)).status).toBe(503);
  first.child.kill('SIGHUP');
  expect(await isCatchingUp(first)).toBe(true);
  await first.stop('SIGKILL');

  const second = await startServer({ dataDir, caughtUp: false });
  expect(await isCatchingUp(second)).toBe(true);
  expect(await second.stop('SIGTERM')).toBe(0);

  const third = await startServer({ dataDir });
  expect(await readTotal(third.url)).toBe(REBUILT);
  expect(await sendClick(third.url, newId())).toBe(200);
});

test('a second server on one ledger ends with a clear message, the first one continues', async () => {
  const first = await startServer();
  await expect(startServer({ dataDir: first.dataDir })).rejects.toThrow(
    /^Another process is writing .*clicks\.jsonl\. Stop it first, or give this one its own DATA_DIR\.\n$/,
  );
  expect(await sendClick(first.url, newId())).toBe(200);
});

test('a reader of standard output that never reads, or ends, delays no click', async () => {
  const load = makeLoad();
  const server = await startServer({ stdout: 'pipe' });
  const stop = startLoad(server.url, load);
  // A pipe has room for 64 KB; a line has about 500 bytes.
  await untilAcked(load, 1000);
  // What has waited for its reader is checked too. After its end no one gets a line.
  await server.readOutput(1000);
  server.child.stdout?.destroy();
  await untilAcked(load, 500);
  await stop();
  expect(await server.stop('SIGTERM')).toBe(0);
  await expectKept(server.ledger, load);
});
