/** `npm run backup` and `npm run restore`, with folders that a real server writes. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { readPeople } from '../helpers/server/registrations.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { expectKept, readTotal } from '../helpers/server/server-check.ts';
import { makeFormDist } from '../helpers/server/server-dist.ts';
import { makeLoad, startLoad, untilAcked } from '../helpers/server/server-load.ts';
import { type ServerProcess, startServer } from '../helpers/server/server-process.ts';

const backup = (dataDir: string, to: string, ...args: string[]) =>
  runCli('backup.ts', ['--to', to, ...args], { DATA_DIR: dataDir });
const restore = (from: string, dataDir: string) =>
  runCli('restore.ts', ['--from', from], { DATA_DIR: dataDir });

/** Registers one address after the other. @returns the confirmed addresses, and a function that stops */
function startRegistering({ url }: ServerProcess) {
  const confirmed: string[] = [];
  let running = true;
  let count = 0;
  const client = async () => {
    while (running) {
      const email = `person-${count++}@example.org`;
      const answer = await fetch(`${url}/api/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ firstName: 'Ana', lastName: 'Silva', email, agreedToTerms: true }),
      });
      expect(answer.status).toBe(201);
      confirmed.push(email);
    }
  };
  const clients = Promise.all(Array.from({ length: 4 }, client));
  const stop = async () => {
    running = false;
    await clients;
  };
  return { confirmed, stop };
}

test('a backup made under load, restored, has every click and registration confirmed before it, once', async () => {
  const env = { DIST_DIR: makeFormDist(), RATE_LIMIT_REGISTER: '0' };
  const server = await startServer({ env });
  const load = makeLoad();
  const stopLoad = startLoad(server.url, load);
  const people = startRegistering(server);
  await expect.poll(() => people.confirmed.length, { timeout: 60_000 }).toBeGreaterThan(10);
  await untilAcked(load, 500);
  const before = { clicks: new Set(load.acked), people: [...people.confirmed] };

  const folder = join(makeDataDir(), 'backup');
  const running = backup(server.dataDir, folder, '--with-keys');
  renameSync(server.ledger, `${server.ledger}-20260131`);
  server.child.kill('SIGHUP');
  const made = await running;
  expect(made).toMatchObject({ code: 0, err: '' });
  await untilAcked(load, 100);
  await stopLoad();
  await people.stop();
  await server.stop('SIGKILL');

  const dataDir = join(makeDataDir(), 'restored');
  const restored = await restore(folder, dataDir);
  expect(restored).toMatchObject({ code: 0, err: '' });
  const again = await startServer({ dataDir, env });
  const stored = await expectKept(again.ledger, { ...load, acked: before.clicks });
  expect(await readTotal(again.url)).toBe(stored);
  const kept = (await readPeople(readConfig({ DATA_DIR: dataDir }))).map(({ email }) => email);
  expect(new Set(kept).size).toBe(kept.length);
  expect(before.people.filter((email) => !kept.includes(email))).toEqual([]);
  // Later clicks are missing. Otherwise the backup could have been a copy of the final state.
  expect(stored).toBeLessThan(load.acked.size);
}, 120_000);
