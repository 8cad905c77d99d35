/** Two servers' ledgers under load, rotated by logrotate with the shipped configuration. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeRotation } from '../helpers/cluster/logrotate.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { expectKept, readTotal } from '../helpers/server/server-check.ts';
import { makeLoad, startLoad, untilAcked } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

test('two rotations under load: every click is in one file, the servers continue, older files are packed', async () => {
  const folder = makeDataDir();
  const places = ['3001', '3002'].map((port) => join(folder, port));
  for (const place of places) mkdirSync(place);
  const servers = await Promise.all(places.map((dataDir) => startServer({ dataDir })));
  const loads = servers.map(({ url }) => {
    const load = makeLoad();
    return { load, stop: startLoad(url, load) };
  });
  onTestFinished(() => Promise.all(loads.map(({ stop }) => stop())).then(() => {}));
  const untilAllAcked = () => Promise.all(loads.map(({ load }) => untilAcked(load, 300)));
  const rotate = makeRotation({ folder, pids: () => servers.map(({ child }) => child.pid) });
  const filesOf = (place: string) =>
    readdirSync(place)
      .filter((name) => name.startsWith('clicks.jsonl'))
      .sort();

  await untilAllAcked();
  rotate();
  await untilAllAcked();
  // Rotations less than a second apart would have the same name.
  const rotatedTwice = () => {
    rotate();
    return places.every((place) => filesOf(place).length === 3);
  };
  await expect.poll(rotatedTwice, { interval: 300 }).toBe(true);
  await untilAllAcked();
  for (const place of places) {
    expect(filesOf(place)).toEqual([
      'clicks.jsonl',
      expect.stringMatching(/^clicks\.jsonl-\d{8}-\d+\.gz$/),
      expect.stringMatching(/^clicks\.jsonl-\d{8}-\d+$/),
    ]);
  }

  for (const [i, { load, stop }] of loads.entries()) {
    await stop();
    expect([...load.others]).toEqual([]);
    const { ledger, dataDir, stop: end } = servers[i] ?? (await startServer());
    const stored = await expectKept(ledger, load);
    await end('SIGTERM');
    const again = await startServer({ dataDir });
    expect(await readTotal(again.url)).toBe(stored);
  }
});
