/** `npm run dev` in a copy of the tree, whose files the test edits. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../helpers/server/local-server.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { copyTree } from '../mutants/copy-tree.ts';

const POLL = { timeout: 60_000 };

/** Starts the command with PORT in .env, and resolves when the page's server listens. */
async function startDev() {
  const tree = copyTree(process.cwd());
  onTestFinished(tree.remove);
  const port = await freePort();
  writeFileSync(join(tree.path, '.env'), `PORT=${port}\n`);
  const { PORT: _, ...env } = process.env;
  const npm = spawn('npm', ['run', 'dev'], {
    cwd: tree.path,
    env: { ...env, DATA_DIR: makeDataDir(), DIST_DIR: makeDist(), METRICS_PORT: 'off' },
    // Vite reports each request that the restarting server does not answer.
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  onTestFinished(() => {
    try {
      process.kill(-Number(npm.pid), 'SIGKILL');
    } catch {
      // They have all ended.
    }
  });
  const listening = Promise.withResolvers<void>();
  const servers: number[] = [];
  createInterface({ input: npm.stdout }).on('line', (text) => {
    // Vite colours the port where CI is set.
    if (stripVTControlCharacters(text).includes(`localhost:${port}`)) listening.resolve();
    const pid = /listening at .*, process (\d+)/.exec(text)?.[1];
    if (pid) servers.push(Number(pid));
  });
  await listening.promise;
  return { npm, servers, port, path: tree.path, url: `http://localhost:${port}` };
}

/** As most editors write: a new file that takes the place of the old one. */
function replace(file: string, change: (text: string) => string): void {
  writeFileSync(`${file}.tmp`, change(readFileSync(file, 'utf8')));
  renameSync(`${file}.tmp`, file);
}

/** Vite's channel to the browser. */
async function openChannel(url: string): Promise<WebSocket> {
  const client = await (await fetch(`${url}/@vite/client`)).text();
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1];
  const channel = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
  await once(channel, 'open');
  return channel;
}

/** Counts the messages on the page, and how often Vite's client reloads it: when its first update finds a message there. */
function actAsClient(channel: WebSocket) {
  const faults: string[] = [];
  let hasMessage = false;
  let hasUpdated = false;
  let reloads = 0;
  channel.addEventListener('message', ({ data }) => {
    const { type, err } = JSON.parse(String(data));
    if (type === 'error') {
      faults.push(err.message);
      hasMessage = true;
    }
    if (type === 'full-reload') reloads += 1;
    if (type !== 'update') return;
    if (hasMessage && !hasUpdated) reloads += 1;
    hasMessage = false;
    hasUpdated = true;
  });
  return { faults, reloads: () => reloads };
}

const health = (url: string) =>
  fetch(`${url}/healthz`).then(
    async (answer) => ((await answer.json()) as { status: string }).status,
    () => 'away',
  );

test('npm run dev honours .env, takes replaced files, shows the server’s faults in the browser without reloading the page, takes a new site.json, and ends with npm', async () => {
  const { npm, servers, port, path, url } = await startDev();
  await expect.poll(() => health(url).catch(() => ''), POLL).toBe('ready');
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('Join the Drive');
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal);
  if (outside) await expect(fetch(`http://${outside.address}:${port}/`)).rejects.toThrow();

  const file = join(path, 'server/health/health.ts');
  const channel = await openChannel(url);
  const { faults, reloads } = actAsClient(channel);
  replace(file, (text) => `${text}\nthrow new Error('a fault of the test');\n`);
  await expect.poll(() => faults.join(), POLL).toContain('a fault of the test');
  replace(file, (text) => text.replace(/\nthrow .*\n$/, ''));
  await expect.poll(() => health(url).catch(() => ''), POLL).toBe('ready');
  // A second time, because a watcher may follow the file that was replaced.
  replace(file, (text) => `${text}\nthrow new Error('another fault');\n`);
  await expect.poll(() => faults.join(), POLL).toContain('another fault');
  replace(file, (text) => text.replace(/\nthrow .*\n$/, ''));
  await expect.poll(() => health(url).catch(() => ''), POLL).toBe('ready');
  expect(reloads()).toBe(0);

  const siteFile = join(path, 'site.json');
  // Saves until it is seen: the watcher can miss the second of two changes within milliseconds, which no editor makes.
  const save = (from: string, to: string) =>
    replace(siteFile, (text) => text.replace(`"${from}"`, `"${to}"`));
  const seen = { ...POLL, interval: 1000 };
  const productIs = async (name: string) => {
    save('SMA Data Drive', name);
    return (await fetch(url, { headers: { accept: 'text/html' } })).text();
  };
  await expect.poll(() => productIs('Road Drive'), seen).toContain('Road Drive is a nationwide');
  save('partnerName', 'partnerNam');
  await expect.poll(() => faults.join(), POLL).toContain('partnerNam is not a key.');
  const before = reloads();
  const corrected = () => {
    save('partnerNam', 'partnerName');
    return reloads();
  };
  await expect.poll(corrected, seen).toBeGreaterThan(before);
  channel.close();

  npm.kill('SIGKILL');
  await expect
    .poll(
      () =>
        fetch(`${url}/@vite/client`).then(
          () => 'there',
          () => 'away',
        ),
      POLL,
    )
    .toBe('away');
  expect(servers).toHaveLength(3);
  await expect.poll(() => servers.filter(isRunning), POLL).toEqual([]);
}, 180_000);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
