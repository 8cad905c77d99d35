/** Everything that a start says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../helpers/server/local-server.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

const settings = () => ({ DATA_DIR: makeDataDir(), DIST_DIR: makeDist() });

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
      'Off: form; mail; report and metrics; weekly mail.',
    "site.json still has the example's productName, facts.operator. Replace them, and build again.",
    'RATE_LIMITS is not a variable of this project. Is RATE_LIMIT meant?',
    'LOG_IP is now logIp in site.json.',
    'POSTHOG_COLOUR is not a variable of this project. .env.example lists them all.',
  ]);
});

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
