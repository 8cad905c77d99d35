/** `npm run dev` and its server. */
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replace, startDev } from '../helpers/server/dev-process.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

const POLL = { timeout: 60_000 };

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
  const dev = await startDev({ DATA_DIR: makeDataDir(), dist: makeDist() });
  onTestFinished(dev.stop);
  const { npm, servers, port, path, url } = dev;
  await expect.poll(() => health(url).catch(() => ''), POLL).toBe('ready');
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('Join the Drive');
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal);
  if (outside) await expect(fetch(`http://${outside.address}:${port}/`)).rejects.toThrow();

  const file = join(path, 'server/watch/health.ts');
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
