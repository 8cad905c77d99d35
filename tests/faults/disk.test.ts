/**
 * Full disks, moved files, and folders without permission: no acknowledged click is lost, and an
 * operator is told what to do.
 */

import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, globSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { VIEW_PATH } from '#contract/limits.ts';
import { browserEvent } from '../helpers/fakes/browser-event.ts';
import { pageView } from '../helpers/fakes/page-view.ts';
import { reportSkipped } from '../helpers/run/find-programs.ts';
import { PERSON } from '../helpers/server/registrations.ts';
import { runSite } from '../helpers/server/run-site.ts';
import { ADMIN_PASSWORD, withPassword } from '../helpers/server/scrape.ts';
import { BROWSER, makeDataDir } from '../helpers/server/server-app.ts';
import { expectKept } from '../helpers/server/server-check.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { startLoad, untilAcked, untilAnswered } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

/** Settings with which `site check` contacts no other service. */
const QUIET = { posthogKey: null, ipLookupOrigin: null };

/** Fills the disk of this file completely. */
function fillDisk(file: string): void {
  try {
    appendFileSync(file, Buffer.alloc(64 * 1024 * 1024));
  } catch {
    // The disk is full now: a part was written.
  }
}

/** Mounts a disk of 64 MB at a folder. @returns false if this user cannot mount one */
function makeSmallDisk(dataDir: string): boolean {
  const mount = ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', dataDir];
  const isMounted = spawnSync('mount', mount).status === 0;
  if (isMounted) onTestFinished(() => void spawnSync('umount', ['-l', dataDir]));
  else reportSkipped('the test of a full disk', 'this user cannot mount a tmpfs');
  return isMounted;
}

test('a full disk, then a freed one: 503 meanwhile, and no acknowledged click is lost', async (context) => {
  const dataDir = makeDataDir();
  if (!makeSmallDisk(dataDir)) return context.skip('this user cannot mount a tmpfs');
  const checked = await runSite(['check', '--build', makeDist(QUIET)], { DATA_DIR: dataDir });
  expect(checked.err).toMatch(/^The disk of DATA_DIR \(.*\) has 6\d MB left\. Free some space\.$/m);
  const server = await startServer({ dataDir });
  const { load, stop } = startLoad(server.url);
  await untilAcked(load, 300);
  const filler = join(dataDir, 'filler');
  // The disk is filled again and again, because databases on it free some of their space.
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
  // Some clicks that were answered 503 are in the table: only the log had no space for them.
  const restarted = await startServer({ dataDir });
  const secondLoad = startLoad(restarted.url, load);
  await untilAcked(load, load.unanswered.size + 1);
  await secondLoad.stop();
  expect(await expectKept(restarted, load)).toBe(load.acked.size);
});

test('a disk that is nearly full: visits, events and registrations stop, and clicks go on', async (context) => {
  const dataDir = makeDataDir();
  if (!makeSmallDisk(dataDir)) return context.skip('this user cannot mount a tmpfs');
  const server = await startServer({ dataDir, env: { CLICK_RESERVE_MB: '32', ADMIN_PASSWORD } });
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'user-agent': BROWSER };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(server.url + path, request)).status;
  };
  const view = () => post(VIEW_PATH, pageView());
  const { load, stop } = startLoad(server.url);
  expect(await view()).toBe(200);
  writeFileSync(join(dataDir, 'filler'), Buffer.alloc(40 * 1024 * 1024));
  await expect.poll(view).toBe(503);
  expect(await post('/k/e/', browserEvent())).toBe(503);
  expect(await post('/api/register', PERSON)).toBe(503);
  const { reasons } = await (
    await fetch(`${server.url}/healthz`, { headers: withPassword(ADMIN_PASSWORD) })
  ).json();
  expect(reasons).toContainEqual(expect.stringMatching(/^Only clicks are taken, .* 32 MB/));
  await untilAcked(load, 300);
  rmSync(join(dataDir, 'filler'));
  await expect.poll(view).toBe(200);
  await stop();
  expect([...load.others]).toEqual([]);
  await expectKept(server, load);
});

test('an operator moves files of a running server: the log goes on in a new file, and without its database no click is acknowledged', async () => {
  const server = await startServer();
  const { dataDir, url } = server;
  const { load, stop } = startLoad(url);
  await untilAcked(load, 50);
  const [log = ''] = globSync(join(dataDir, 'clicks-2*.jsonl'));
  renameSync(log, `${log}.old`);
  await untilAcked(load, 50);
  renameSync(dataDir, `${dataDir}-away`);
  await untilAnswered(load, 503, 50);
  await expect.poll(server.said).toMatch(/site\.db was moved, deleted or replaced/);
  renameSync(`${dataDir}-away`, dataDir);
  await untilAcked(load, 50);
  await stop();
  await expectKept(server, load);
  expect(globSync(join(dataDir, 'clicks-2*'))).toHaveLength(2);
});

/**
 * Prefix of a command that runs without root's privileges. It remains the user root, because
 * another user may not be able to read this checkout.
 */
const WITHOUT_PRIVILEGES =
  process.getuid?.() === 0 ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : [];

/** Runs a command of `site` without privileges. @returns its exit code and standard error */
function run(DATA_DIR: string, ...words: string[]) {
  const site = [process.execPath, 'server/commands/site.ts', ...words];
  const [program = '', ...args] = [...WITHOUT_PRIVILEGES, ...site];
  const env = { ...process.env, DATA_DIR };
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', env });
  return [status, stderr];
}

test('a folder or a database that belongs to someone else: the start, `site check` and the commands say who needs it', async () => {
  const folder = makeDataDir();
  chmodSync(folder, 0o500);
  const server = await startServer();
  await server.stop('SIGTERM');
  chmodSync(join(server.dataDir, 'site.db'), 0o400);
  const killed = await startServer();
  await killed.stop('SIGKILL');
  chmodSync(join(killed.dataDir, 'site.db-wal'), 0o400);
  // Without a key, `site check` does not contact PostHog.
  const dist = makeDist({ posthogKey: null });
  for (const DATA_DIR of [folder, join(folder, 'below'), server.dataDir, killed.dataDir]) {
    const message = new RegExp(
      `^The server may not write in DATA_DIR \\(${DATA_DIR}\\): EACCES: permission denied.+ id ${process.getuid?.()}, on a disk`,
    );
    const started = startServer({ dataDir: DATA_DIR, dist, through: WITHOUT_PRIVILEGES });
    await expect(started).rejects.toThrow(message);
    expect(run(DATA_DIR, 'check', '--build', dist)).toEqual([1, expect.stringMatching(message)]);
  }
  const fault = `This user may not open ${join(server.dataDir, 'site.db')}. Run the command as the user of the server.\n`;
  expect(run(server.dataDir, 'registrations', 'list')).toEqual([1, fault]);
});
