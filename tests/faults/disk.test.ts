/** Disks that the system refuses: under load, and at the start with the sentence that tells an operator what to do. */
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fillDisk } from '../helpers/run/fill-disk.ts';
import { reportSkipped } from '../helpers/run/report-skipped.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { expectKept } from '../helpers/server/server-check.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { makeLoad, startLoad, untilAcked, untilAnswered } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

/** @returns whether this folder is now a disk of 64 MB; not every user can mount one */
function makeSmallDisk(dataDir: string): boolean {
  const mount = ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', dataDir];
  const isMounted = spawnSync('mount', mount).status === 0;
  if (isMounted) onTestFinished(() => void spawnSync('umount', ['-l', dataDir]));
  else reportSkipped('the test of a full disk', 'this user cannot mount a tmpfs');
  return isMounted;
}

test('a full disk, then a freed one: 503 meanwhile, and no acknowledged click is lost', async (context) => {
  const dataDir = makeDataDir();
  if (!makeSmallDisk(dataDir)) return context.skip();
  const server = await startServer({ dataDir });
  const load = makeLoad();
  const stop = startLoad(server.url, load, { pauseMs: 20 });
  await untilAcked(load, 300);
  const filler = join(dataDir, 'filler');
  // Again and again, because databases on the same disk give some of their room back.
  const filling = setInterval(() => fillDisk(filler), 5);
  onTestFinished(() => clearInterval(filling));
  await untilAnswered(load, 503, 100);
  for (const url of ['/', '/api/stats']) expect((await fetch(server.url + url)).status).toBe(200);
  clearInterval(filling);
  rmSync(filler);
  await untilAcked(load, 300);
  await stop();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect([...load.others.keys()]).toEqual([503]);
  await server.stop('SIGKILL');
  // Some of the refused clicks are in the table already, because only the log had no room.
  const again = await startServer({ dataDir });
  const stopAgain = startLoad(again.url, load, { pauseMs: 20 });
  await untilAcked(load, load.unanswered.size + 1);
  await stopAgain();
  expect(await expectKept(again, load)).toBe(load.acked.size);
});

const isRoot = process.getuid?.() === 0;
/** Root without its privileges can read this checkout. Another user perhaps cannot. */
const WITHOUT_PRIVILEGES = isRoot ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : [];
/** A namespace in which this user may mount. */
const UNSHARE = ['unshare', '--mount', ...(isRoot ? [] : ['--map-root-user'])];
const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"';
const FULL =
  'mount -t tmpfs -o size=1m tmpfs "$0" && { cat /dev/zero > "$0/filler" 2> /dev/null; true; }';
const onDisk = (mount: string, folder: string) => [
  ...[...UNSHARE, 'sh', '-c', `${mount} && exec "$@"`],
  folder,
];

const CHECK = ['server/commands/site.ts', 'check', '--build'];

interface Start {
  through: readonly string[];
  env: Record<string, string>;
  program?: readonly string[];
}

/** Runs the real process until it ends by itself. */
function start({ through, env, program = ['server/main.js'] }: Start) {
  // `site check` would ask PostHog.
  const dist = makeDist({ posthogKey: null });
  const [first = '', ...rest] = [...through, process.execPath, ...program, dist];
  const { status, stderr } = spawnSync(first, rest, {
    encoding: 'utf8',
    env: { ...process.env, PORT: '0', ...env },
  });
  return { status, stderr };
}

/** @throws on CI, if this machine forbids what the test needs */
function canRun(what: string, [program = '', ...args]: readonly string[]): boolean {
  const { status } = spawnSync(program, [...args, 'true']);
  if (status !== 0) reportSkipped(what, `this user may not run ${program} ${args[0]}`);
  return status === 0;
}

/** @returns a folder that a server has used */
async function usedFolder(): Promise<string> {
  const server = await startServer();
  await server.stop('SIGTERM');
  return server.dataDir;
}

/** Names the folder, the reason and the user who needs the folder. */
const refusal = (folder: string, reason: string) =>
  expect.stringMatching(
    `^The server may not write in DATA_DIR \\(${folder}\\): ${reason}.+ id ${process.getuid?.()}, on a disk`,
  );

test('a folder or a database that belongs to someone else: the start and `site check` name the user who needs it', async () => {
  const folder = makeDataDir();
  chmodSync(folder, 0o500);
  const used = await usedFolder();
  chmodSync(join(used, 'site.db'), 0o400);
  for (const DATA_DIR of [folder, join(folder, 'below'), used]) {
    const expected = { status: 1, stderr: refusal(DATA_DIR, 'EACCES: permission denied') };
    const asked = { through: WITHOUT_PRIVILEGES, env: { DATA_DIR } };
    expect(start(asked)).toEqual(expected);
    expect(start({ ...asked, program: CHECK })).toEqual(expected);
  }
});

test('a read-only disk, with a new folder or a used one, is called that, and so is a full one', async (context) => {
  const [fresh, used, full] = [makeDataDir(), await usedFolder(), makeDataDir()];
  if (!canRun('the start on a read-only disk', onDisk(READ_ONLY, fresh))) return context.skip();
  for (const [disk, DATA_DIR] of [
    [fresh, fresh],
    [fresh, join(fresh, 'not', 'there')],
    [used, used],
  ] as const)
    expect(start({ through: onDisk(READ_ONLY, disk), env: { DATA_DIR } })).toEqual({
      status: 1,
      stderr: refusal(DATA_DIR, 'EROFS: read-only file system'),
    });
  expect(start({ through: onDisk(FULL, full), env: { DATA_DIR: full } })).toEqual({
    status: 1,
    stderr: refusal(full, '(ENOSPC: no space left on device|database or disk is full)'),
  });
});
