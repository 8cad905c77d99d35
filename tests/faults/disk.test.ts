import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { newId } from '../../server/database/new-id.ts';
import { fillDisk } from '../helpers/run/fill-disk.ts';
import { reportSkipped } from '../helpers/run/report-skipped.ts';
import { makeBody, makeDataDir } from '../helpers/server/server-app.ts';
import { expectKept, readTotal } from '../helpers/server/server-check.ts';
import {
  makeLoad,
  sendClick,
  startLoad,
  untilAcked,
  untilAnswered,
} from '../helpers/server/server-load.ts';
import { type ServerProcess, startServer } from '../helpers/server/server-process.ts';

/** Sends clicks before, during and after the disk's failure. */
async function expectSurvival(server: ServerProcess, refuse: () => void, allow: () => void) {
  const load = makeLoad();
  const stop = startLoad(server.url, load);
  await untilAcked(load, 300);
  refuse();
  await untilAnswered(load, 503, 100);

  const health = async () => {
    const answer = await fetch(`${server.url}/healthz`);
    return { code: answer.status, ...(await answer.json()) };
  };
  await expect.poll(health).toMatchObject({
    code: 503,
    status: 'failing',
    faults: { clicks: expect.any(String) },
  });
  const refused = await fetch(`${server.url}${LOG_CTA_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(makeBody()),
  });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect((await fetch(server.url)).status).toBe(200);

  allow();
  await untilAcked(load, 300);
  await stop();
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect([...load.others.keys()]).toEqual([503]);
  const stored = await expectKept(server.ledger, load);
  expect(stored).toBe(load.acked.size);
  expect(await readTotal(server.url)).toBe(stored);
  await server.stop('SIGKILL');
  const again = await startServer({ dataDir: server.dataDir });
  expect(await readTotal(again.url)).toBe(stored);
  expect(await sendClick(again.url, newId())).toBe(200);
}

/** @returns a data folder on a disk of 8 MB; null if this user cannot mount one */
function makeSmallDisk(): string | null {
  const dataDir = makeDataDir();
  if (!run('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dataDir])) {
    reportSkipped('tests of a full disk', 'this user cannot mount a tmpfs');
    return null;
  }
  onTestFinished(() => void run('umount', ['-l', dataDir]));
  return dataDir;
}

test('below MIN_FREE_MB clicks get 503 until space is free, and registrations are still taken', async (context) => {
  const dataDir = makeSmallDisk();
  if (dataDir === null) return context.skip();
  const server = await startServer({ dataDir, env: { MIN_FREE_MB: '4' } });
  const filler = join(dataDir, 'filler');
  writeFileSync(filler, Buffer.alloc(5 * 1024 * 1024));
  await expect.poll(() => sendClick(server.url, newId())).toBe(503);
  const health = await fetch(`${server.url}/healthz`);
  expect(await health.json()).toMatchObject({ faults: { clicks: 'low_disk_space' } });
  await expect
    .poll(server.said)
    .toMatch(/Only [23] MB are free .* MIN_FREE_MB=4: free some space, or lower it/);
  const registered = await fetch(`${server.url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      firstName: 'Ana',
      lastName: 'Silva',
      email: 'ana@example.org',
      agreedToTerms: true,
    }),
  });
  expect(registered.status).toBe(201);
  rmSync(filler);
  await expect.poll(() => sendClick(server.url, newId())).toBe(200);
  await expect.poll(server.said).toContain('Clicks are kept again');
});

test('a full disk, then a freed one: no acknowledged click is lost', async (context) => {
  const dataDir = makeSmallDisk();
  if (dataDir === null) return context.skip();
  const server = await startServer({ dataDir });
  const filler = join(dataDir, 'filler');
  // Again and again, because databases on the same disk give some of their room back.
  let filling: NodeJS.Timeout | undefined;
  onTestFinished(() => clearInterval(filling));
  await expectSurvival(
    server,
    () => {
      fillDisk(filler);
      filling = setInterval(() => fillDisk(filler), 5);
    },
    () => {
      clearInterval(filling);
      rmSync(filler);
    },
  );
});

test('files that cannot grow, then can again: no acknowledged click is lost', async (context) => {
  const server = await startServer();
  const limit = (bytes: string) =>
    run('prlimit', ['--pid', String(server.child.pid), `--fsize=${bytes}`]);
  if (!limit('unlimited:unlimited')) {
    reportSkipped('the test of a limit on file sizes', 'prlimit is missing');
    return context.skip();
  }
  await expectSurvival(
    server,
    () => limit('65536:unlimited'),
    () => limit('unlimited:unlimited'),
  );
});

function run(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
