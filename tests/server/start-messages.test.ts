/** Everything that a start says, and the check of the settings without a start. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../helpers/server/local-server.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

const settings = () => ({ DATA_DIR: makeDataDir(), DIST_DIR: makeDist(), METRICS_PORT: 'off' });

function check(env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['server/main.js', '--check-config'],
    { encoding: 'utf8', env: { ...process.env, ...env } },
  );
  return { status, stdout, stderr };
}

test('a start says where the server is, what is on and off, and which variables nothing reads', async () => {
  const port = await freePort();
  const env = {
    ...settings(),
    HOST: '127.0.0.1',
    PORT: String(port),
    RATE_LIMIT_CLICKS: '7',
    RATE_LIMIT_CLICK: '8',
    VITE_FUNDER: 'the Road Fund',
    DIST_DIR: makeDist({ exampleKeys: ['productName', 'facts.operator'] }),
    POSTHOG_COLOUR: 'blue',
  };
  const child = spawn(process.execPath, ['server/main.js'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const { msg } = JSON.parse(text);
    if (msg !== undefined) said.push(msg);
    if (/POSTHOG_COLOUR/.test(msg)) break;
  }
  expect(said).toEqual([
    `Server listening at http://127.0.0.1:${port}, process ${child.pid}`,
    `Data in ${env.DATA_DIR}, with SQLite. On: PostHog (https://us.i.posthog.com); ` +
      'limits (7 clicks, 20 register, 1200 events, 3000 other per minute and address). ' +
      'Off: form; mail; weekly report; metrics.',
    "site.json still has the example's productName, facts.operator. Replace them before you go live: `npm run golive` lists them.",
    'RATE_LIMIT_CLICK is not a variable of this project. Is RATE_LIMIT_CLICKS meant?',
    `VITE_FUNDER is not a variable of this project. Write facts.funder in the file that SITE_FILE names, now ${resolve('site.json')}`,
    'POSTHOG_COLOUR is not a variable of this project. .env.example lists them all.',
  ]);
});

test('--check-config checks the settings, starts nothing and writes nothing', () => {
  const env = { ...settings(), DIST_DIR: makeDist({ posthogKey: null, portalHost: null }) };
  const DATA_DIR = join(env.DATA_DIR, 'new');
  const { status, stdout, stderr } = check({ ...env, DATA_DIR });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^Data in .* VITE_PORTAL_HOST is not set: .*a stand-in.*\nThe settings are valid\.\n$/,
  );
  expect(existsSync(DATA_DIR)).toBe(false);
}, 30_000);

test('--check-config names every fault, and ends with the exit code 1', () => {
  const env = settings();
  const file = join(env.DATA_DIR, 'file');
  writeFileSync(file, 'no keys');
  const { status, stderr } = check({
    ...env,
    DATA_DIR: file,
    DIST_DIR: '/nowhere',
    CAMPAIGNS_FILE: file,
    REGISTRATION_KEYS_FILE: file,
    DATABASE_URL: 'postgres://user:secret@localhost:1/site',
    LOG_LEVEL: 'warn',
  });
  expect(status).toBe(1);
  expect(stderr.split('\n').map((text) => text.replaceAll(file, 'FILE').slice(0, 60))).toEqual(
    [
      'There is no complete build in /nowhere. Run `npm run build` f',
      'DATA_DIR (FILE) is a file, or is below one. Name a folder.',
      expect.stringContaining('FILE is not JSON'),
      expect.stringContaining('FILE must be a list of id:secret'),
      'PostgreSQL (localhost:1/site): it refuses connections. Start',
      '',
    ].map((text) => (typeof text === 'string' ? text.slice(0, 60) : text)),
  );
  expect(stderr).not.toContain('secret@');
  const wrong = check({ ...env, PORT: 'x' });
  expect(wrong).toMatchObject({ status: 1, stderr: expect.stringContaining('PORT must be') });
}, 60_000);

test.each(['serve', 'start'])('npm run %s leaves no server when npm is killed', async (script) => {
  // `npm start` builds first, so a package of our own has scripts of the same form.
  const folder = mkdtempSync(join(tmpdir(), 'npm-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const serve = `${process.execPath} ${join(process.cwd(), 'server/main.js')}`;
  const scripts = { start: 'true && npm run serve', serve };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
  const port = await freePort();
  const npm = spawn('npm', ['run', script], {
    cwd: folder,
    env: { ...process.env, ...settings(), HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void npm.kill('SIGKILL'));
  let server = 0;
  for await (const text of createInterface({ input: npm.stdout })) {
    server = Number(/, process (\d+)"/.exec(text)?.[1] ?? 0);
    if (server > 0) break;
  }
  onTestFinished(() => {
    if (isRunning(server)) process.kill(server, 'SIGKILL');
  });
  const ended = once(npm, 'exit');
  npm.kill('SIGKILL');
  await ended;
  await expect.poll(() => isRunning(server), { timeout: 30_000 }).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
