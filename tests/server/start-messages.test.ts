/** Everything that a start says, and the check of the settings without a start. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../helpers/server/local-server.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

const KEYS = `k1:${Buffer.alloc(32).toString('base64')}`;
const settings = () => ({ DATA_DIR: makeDataDir(), DIST_DIR: makeDist() });

function check({ DIST_DIR = 'dist', ...env }: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['server/main.js', DIST_DIR, '--check-config'],
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
    RATE_LIMIT: '7',
    RATE_LIMITS: '8',
    LOG_IP: 'none',
    DIST_DIR: makeDist({ exampleKeys: ['productName', 'facts.operator'] }),
    POSTHOG_COLOUR: 'blue',
  };
  const child = spawn(process.execPath, ['server/main.js', env.DIST_DIR], {
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
      'limits (7 clicks, 1 register, 14 events, 35 other per minute and address). ' +
      'Off: form; mail; metrics.',
    "site.json still has the example's productName, facts.operator. Replace them before you go live: `npm run golive` lists them.",
    'RATE_LIMITS is not a variable of this project. Is RATE_LIMIT meant?',
    'LOG_IP is now logIp in site.json.',
    'POSTHOG_COLOUR is not a variable of this project. .env.example lists them all.',
  ]);
});

test('--check-config checks the settings, starts nothing and writes nothing', () => {
  const env = { ...settings(), DIST_DIR: makeDist({ posthogKey: null, portalHost: null }) };
  const DATA_DIR = join(env.DATA_DIR, 'new');
  const { status, stdout, stderr } = check({ ...env, DATA_DIR });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^Data in .* site.json names no portal: .*a stand-in.*\nThe settings are valid\.\n$/,
  );
  expect(existsSync(DATA_DIR)).toBe(false);
}, 30_000);

test('--check-config names every fault, and ends with the exit code 1', () => {
  const env = settings();
  const file = join(env.DATA_DIR, 'file');
  writeFileSync(file, 'no folder');
  const { status, stderr } = check({
    ...env,
    DATA_DIR: file,
    DIST_DIR: '/nowhere',
    REGISTRATION_KEYS: KEYS,
    DATABASE_URL: 'postgres://user:secret@localhost:1/site',
    LOG_LEVEL: 'warn',
  });
  expect(status).toBe(1);
  expect(stderr.split('\n').map((text) => text.replaceAll(file, 'FILE').slice(0, 60))).toEqual(
    [
      'There is no complete build in /nowhere. Run `npm run build` f',
      'DATA_DIR (FILE) is a file, or is below one. Name a folder.',
      'PostgreSQL (localhost:1/site): it refuses connections. Start',
      '',
    ].map((text) => (typeof text === 'string' ? text.slice(0, 60) : text)),
  );
  expect(stderr).not.toContain('secret@');
  const wrong = check({ ...env, PORT: 'x' });
  expect(wrong).toMatchObject({ status: 1, stderr: expect.stringContaining('PORT must be') });
}, 60_000);

test.each(['serve', 'start'])(
  'npm run %s ends its server when npm gets SIGTERM',
  async (script) => {
    // `npm start` builds first, so a package of our own has the scripts without the build.
    const folder = mkdtempSync(join(tmpdir(), 'npm-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { start, serve } = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
    const main = join(process.cwd(), 'server/main.js');
    const { DIST_DIR, ...env } = settings();
    const command = serve.replace('server/main.js', `${main} ${DIST_DIR}`);
    const scripts = { start, build: 'true', serve: command };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
    const port = await freePort();
    const npm = spawn('npm', ['run', script], {
      cwd: folder,
      env: { ...process.env, ...env, HOST: '127.0.0.1', PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void npm.kill('SIGKILL'));
    let server = 0;
    for await (const text of createInterface({ input: npm.stdout })) {
      server = Number(/, process (\d+)"/.exec(text)?.[1] ?? 0);
      if (server > 0) break;
    }
    // The process 0 would be this one and its relatives.
    expect(server).toBeGreaterThan(0);
    onTestFinished(() => {
      if (isRunning(server)) process.kill(server, 'SIGKILL');
    });
    const ended = once(npm, 'exit');
    npm.kill('SIGTERM');
    await ended;
    await expect.poll(() => isRunning(server), { timeout: 30_000 }).toBe(false);
  },
);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
