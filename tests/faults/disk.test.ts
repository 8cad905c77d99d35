import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { fillDisk } from '../helpers/run/fill-disk.ts';
import { reportSkipped } from '../helpers/run/report-skipped.ts';
import { makeBody, makeDataDir } from '../helpers/server/server-app.ts';
import { expectKept } from '../helpers/server/server-check.ts';
import { makeLoad, startLoad, untilAcked, untilAnswered } from '../helpers/server/server-load.ts';
import { type ServerProcess, startServer } from '../helpers/server/server-process.ts';

/** Sends clicks before, during and after the disk's failure. */
async function expectSurvival(server: ServerProcess, refuse: () => void, allow: () => void) {
  const load = makeLoad();
  const stop = startLoad(server.url, load, { pauseMs: 20 });
  await untilAcked(load, 300);
  refuse();
  await untilAnswered(load, 503, 100);

  const refused = await fetch(`${server.url}${LOG_CTA_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(makeBody()),
  });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect((await fetch(server.url)).status).toBe(200);
  expect((await fetch(`${server.url}/api/stats`)).status).toBe(200);

  allow();
  await untilAcked(load, 300);
  await stop();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect([...load.others.keys()]).toEqual([503]);
  await server.stop('SIGKILL');
  // Some of the refused clicks are in the table already, because only the log had no room.
  const again = await startServer({ dataDir: server.dataDir });
  const stopAgain = startLoad(again.url, load, { pauseMs: 20 });
  await untilAcked(load, load.unanswered.size + 1);
  await stopAgain();
  expect(await expectKept(again, load)).toBe(load.acked.size);
}

/** @returns a data folder on a disk of 64 MB; null if this user cannot mount one */
function makeSmallDisk(): string | null {
  const dataDir = makeDataDir();
  if (!run('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', dataDir])) {
    reportSkipped('tests of a full disk', 'this user cannot mount a tmpfs');
    return null;
  }
  onTestFinished(() => void run('umount', ['-l', dataDir]));
  return dataDir;
}

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
