/** Two servers with one click index: another program takes lines from the ledger of one of them. */
import { readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../server/database/new-id.ts';
import { type Postgres, startPostgres } from '../helpers/cluster/postgres.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { sendClick } from '../helpers/server/server-load.ts';
import { type ServerProcess, startServer } from '../helpers/server/server-process.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

const health = async ({ url }: ServerProcess) => (await fetch(`${url}/healthz`)).json();
const ready = { status: 'ready' };
const degraded = {
  status: 'degraded',
  reasons: [expect.stringMatching(/^The ledger lacks lines .*clicks -- verify/)],
};

test('an emptied ledger: its own server warns until the lines are back, the other one is ready', async () => {
  const env = {
    DATABASE_URL: await postgres.createDatabase(),
    REGISTRATION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  };
  const clicks = async ({ url }: ServerProcess, count: number) => {
    for (let n = 0; n < count; n += 1) expect(await sendClick(url, newId())).toBe(200);
  };
  const [a, first] = await Promise.all([startServer({ env }), startServer({ env })]);
  await clicks(a, 3);
  await clicks(first, 3);
  await first.stop('SIGTERM');
  const { dataDir, ledger } = first;
  // A rotation is in good order.
  renameSync(ledger, `${ledger}.1`);
  const rotated = await startServer({ env, dataDir });
  expect(await health(rotated)).toEqual(ready);
  await clicks(rotated, 3);
  await rotated.stop('SIGTERM');
  const lines = readFileSync(ledger);
  truncateSync(ledger, 0);

  const b = await startServer({ env, dataDir });
  await expect.poll(() => health(b)).toEqual(degraded);
  await clicks(b, 2);
  expect([await health(a), await health(b)]).toEqual([ready, degraded]);
  const folders = [a.dataDir, dataDir].flatMap((folder) => ['--ledger', folder]);
  const verify = (...args: string[]) => runCli('clicks.ts', ['verify', ...args], env);
  expect(await verify(...folders)).toMatchObject({ code: 1, err: '4 differences.\n' });
  writeFileSync(`${ledger}.2`, lines);
  // Without the other ledger, verify cannot know whether the index has more.
  expect(await verify('--ledger', dataDir)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Name every ledger'),
  });
  expect(await health(b)).toEqual(degraded);
  expect(await verify(...folders)).toMatchObject({ code: 0 });
  expect([await health(a), await health(b)]).toEqual([ready, ready]);
});
