/** What the system refuses at the start: the real system's errors, and the sentence that tells an operator what to do. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportSkipped } from '../helpers/run/report-skipped.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { startServer } from '../helpers/server/server-process.ts';

const isRoot = process.getuid?.() === 0;
/** Root without its privileges, because a user such as nobody may not be allowed to read this checkout. */
const DROP_PRIVILEGES = ['setpriv', '--inh-caps=-all', '--bounding-set=-all'];
const WITHOUT_PRIVILEGES = isRoot ? DROP_PRIVILEGES : [];
/** A namespace in which this user may mount, or in which ports below 1024 are reserved as on a new machine. */
const unshare = (kind: 'mount' | 'net') => [
  'unshare',
  `--${kind}`,
  ...(isRoot ? [] : ['--map-root-user']),
];
const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"';
const FULL =
  'mount -t tmpfs -o size=1m tmpfs "$0" && { cat /dev/zero > "$0/filler" 2> /dev/null; true; }';
const onDisk = (mount: string, folder: string) => [
  ...[...unshare('mount'), 'sh', '-c', `${mount} && exec "$@"`],
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
    env: {
      ...process.env,
      PORT: '0',
      ...env,
    },
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

const me = `the user with the id ${process.getuid?.()}`;

test('a folder that belongs to someone else: the start and `site check` name the user who needs it', () => {
  const folder = makeDataDir();
  chmodSync(folder, 0o500);
  for (const DATA_DIR of [folder, join(folder, 'below')]) {
    const expected = {
      status: 1,
      stderr: `The server may not write in DATA_DIR (${DATA_DIR}, EACCES). Give the folder and its files to ${me}, or set another DATA_DIR.\n`,
    };
    const asked = { through: WITHOUT_PRIVILEGES, env: { DATA_DIR } };
    expect(start(asked)).toEqual(expected);
    expect(start({ ...asked, program: CHECK })).toEqual(expected);
  }
});

test('a database that this user may not write ends the start with the remedy', async () => {
  const DATA_DIR = await usedFolder();
  chmodSync(join(DATA_DIR, 'site.db'), 0o400);
  expect(start({ through: WITHOUT_PRIVILEGES, env: { DATA_DIR } })).toEqual({
    status: 1,
    stderr: `The server may not write in DATA_DIR (${DATA_DIR}, EACCES). Give the folder and its files to ${me}, or set another DATA_DIR.\n`,
  });
});

test('a read-only disk, with a new folder or a used one, is called that', async (context) => {
  const [fresh, used] = [makeDataDir(), await usedFolder()];
  if (!canRun('the start on a read-only disk', onDisk(READ_ONLY, fresh))) return context.skip();
  for (const [disk, DATA_DIR] of [
    [fresh, fresh],
    [fresh, join(fresh, 'not', 'there')],
    [used, used],
  ] as const)
    expect(start({ through: onDisk(READ_ONLY, disk), env: { DATA_DIR } })).toEqual({
      status: 1,
      stderr: `DATA_DIR (${DATA_DIR}, EROFS) is on a disk that is read-only, or its files are. Make them writable, or set another DATA_DIR.\n`,
    });
});

test('a full disk ends the start with the remedy', (context) => {
  const DATA_DIR = makeDataDir();
  const through = onDisk(FULL, DATA_DIR);
  if (!canRun('the start on a full disk', through)) return context.skip();
  expect(start({ through, env: { DATA_DIR } })).toEqual({
    status: 1,
    stderr: `The disk of DATA_DIR (${DATA_DIR}) is full. Free some space, then start the server again.\n`,
  });
});

test('a port below 1024 ends the start of an ordinary user with the remedy', (context) => {
  const reserved = Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  // A container often lets every user listen on every port. A new network has the usual rule.
  const network = reserved > 80 ? [] : unshare('net');
  const isNew = network.length > 0;
  if (isNew && !canRun('the start on port 80', network)) return context.skip();
  const through = isNew ? [...network, ...DROP_PRIVILEGES] : WITHOUT_PRIVILEGES;
  expect(start({ through, env: { DATA_DIR: makeDataDir(), HOST: '0.0.0.0', PORT: '80' } })).toEqual(
    {
      status: 1,
      stderr:
        'This user may not listen on port 80 (EACCES). Choose a port above 1023, such as PORT=3000, behind a proxy on port 80.\n',
    },
  );
});
