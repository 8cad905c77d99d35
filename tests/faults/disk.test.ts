import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { newId } from '../../server/clicks/new-id.ts';
import { makeBody, makeDataDir } from '../helpers/server-app.ts';
import { expectKept, readTotal } from '../helpers/server-check.ts';
import {
  makeLoad,
  sendClick,
  startLoad,
  untilAcked,
  untilAnswered,
} from '../helpers/server-load.ts';
import { type ServerProcess, startServer } from '../helpers/server-process.ts';

/** Clicks all the while: before, while the disk refuses, and after. */
async function expectSurvival(server: ServerProcess, refuse: () => void, allow: () => void) {
  const load = makeLoad();
  const stop = startLoad(server.url, load);
  await untilAcked(load, 300);
  refuse();
  await untilAnswered(load, 503, 100);

  const health = await fetch(`${server.url}/healthz`);
  expect(health.status).toBe(503);
  expect(await health.json()).toMatchObject({
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

test('the disk is full, then freed', async (context) => {
  const dataDir = makeDataDir();
  if (!run('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dataDir])) {
    process.stderr.write('NOT RUN: a full disk on a tmpfs (this user cannot mount one)\n');
    return context.skip();
  }
  onTestFinished(() => void run('umount', ['-l', dataDir]));
  const server = await startServer({ dataDir });
  const filler = join(dataDir, 'filler');
  await expectSurvival(
    server,
    () => fill(filler),
    () => rmSync(filler),
  );
});

test('files may not grow any more, then they may', async (context) => {
  const server = await startServer();
  const limit = (bytes: string) =>
    run('prlimit', ['--pid', String(server.child.pid), `--fsize=${bytes}`]);
  if (!limit('unlimited:unlimited')) {
    process.stderr.write('NOT RUN: a limit on file sizes (there is no prlimit here)\n');
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

/** Takes every byte that is left. */
function fill(file: string): void {
  const fd = openSync(file, 'w');
  for (const size of [1024 * 1024, 64 * 1024, 4096, 1]) {
    const bytes = Buffer.alloc(size);
    try {
      for (;;) if (writeSync(fd, bytes) === 0) break;
    } catch {
      // Full at this size; smaller ones may still fit.
    }
  }
  closeSync(fd);
}
