/** The commands of README.md for several servers, in the shipped layout: settings in one file, a data folder for each server. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findPostgres, type Postgres, startPostgres } from '../helpers/cluster/postgres.ts';
import { makeBody, makeDataDir, startApp } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

/** Commands in code and in tables of the section, in their order. Those that install something have tests of their own. */
function readmeCommands(): string[] {
  const [, section = ''] = readFileSync('README.md', 'utf8').split('### Several servers');
  const [text = ''] = section.split('## Troubleshooting');
  const found = [...text.matchAll(/^(site [^#\n]+?)\s+#|`(site [^`…]+)`/gm)];
  return found.map(([, fromBlock, fromTable]) => fromBlock ?? fromTable ?? '');
}

/** Settings in a file, `site` as a link, and three data folders. */
async function makeLayout() {
  const root = makeDataDir();
  const settings = {
    DATABASE_URL: await postgres.createDatabase(),
    REGISTRATION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  };
  const folders = [3001, 3002, 3003].map((port) => join(root, 'var/lib/site', String(port)));
  for (const folder of ['etc', 'bin', 'backups', 'home']) mkdirSync(join(root, folder));
  const lines = {
    ...settings,
    REPORT_LEDGERS: folders.join(),
    DIST_DIR: makeDist(),
    MAIL_FROM: 'a@site.example',
  };
  writeFileSync(
    join(root, 'etc/site.env'),
    Object.entries(lines)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  symlinkSync(resolve('deploy/bin/site'), join(root, 'bin/site'));
  return { root, folders, settings };
}

/** Runs a command line in another folder, as an operator does. */
async function runLine(command: string, root: string, env: Record<string, string> = {}) {
  const here = command.replaceAll('/var/lib/site', join(root, 'var/lib/site'));
  const child = spawn('sh', ['-c', here.replaceAll('/backups', join(root, 'backups'))], {
    cwd: join(root, 'home'),
    env: {
      PATH: `${join(root, 'bin')}:${findPostgres()}:${process.env.PATH}`,
      SITE_ENV_FILE: join(root, 'etc/site.env'),
      // psql names what it drops.
      PGOPTIONS: '-c client_min_messages=warning',
      ...env,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const read = (stream: NodeJS.ReadableStream) =>
    Array.fromAsync(stream).then((parts) => parts.join(''));
  const [out, err, code] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    new Promise((done) => child.on('close', done)),
  ]);
  return { out, err, code };
}

test('each command of README.md for several servers works as printed in the shipped layout', async () => {
  const { root, folders, settings } = await makeLayout();
  for (const dataDir of folders) {
    const { app, close } = await startApp({ env: settings, dataDir });
    const payload = makeBody();
    const { statusCode } = await app.inject({ method: 'POST', url: '/api/log-cta', payload });
    expect(statusCode).toBe(200);
    await close();
  }
  const commands = readmeCommands();
  expect(commands.length).toBeGreaterThan(10);
  const said: Record<string, string> = {};
  for (const command of commands) {
    const [, , name] = command.split(' ');
    if (command.startsWith('site restore')) rmSync(folders[0] ?? '', { recursive: true });
    const { out, err, code } = await runLine(
      command.replace('--follow', '--follow --limit 1'),
      root,
    );
    expect({ command, code, err }).toEqual({ command, code: 0, err: '' });
    said[`${name}`] ??= out;
  }
  expect(said.report).toMatch(/^Clicks +3$/m);
  expect(said.verify).toMatch(/ 3 lines, 3 clicks\.\n.*\nNo difference\.\n$/);
  expect(said.rebuild?.match(/^1 clicks of /gm)).toHaveLength(3);
  expect(said.list).toBe('0 registrations\n');
});

test('site reads the settings file, lets set variables win, and writes where the operator is', async () => {
  const { root, folders } = await makeLayout();
  const [first = ''] = folders;
  mkdirSync(first, { recursive: true });
  writeFileSync(join(first, 'clicks.jsonl'), '');
  const line = 'DATA_DIR=/var/lib/site/3001 site clicks report --to report.html';
  expect(await runLine(line, root)).toMatchObject({ code: 0 });
  expect(readFileSync(join(root, 'home/report.html'), 'utf8')).toContain('<html');
  const missing = await runLine('site clicks report', root, { SITE_ENV_FILE: '/nowhere' });
  expect(missing).toEqual({
    code: 1,
    out: '',
    err: 'There are no settings at /nowhere. Set SITE_ENV_FILE.\n',
  });
  expect(await runLine('site clikcs', root)).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no command "clikcs"'),
  });
});

test.skipIf(process.getuid?.() !== 0)(
  'with root’s rights, site runs as the servers’ user',
  async () => {
    const { root } = await makeLayout();
    const { out } = await runLine('site exec id -un', root, { SITE_USER: 'nobody' });
    expect(out).toBe('nobody\n');
  },
);
