/** An acknowledged click is on the disk. If the disk fails, the click is not acknowledged and leaves nothing behind. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeBody, makeDataDir, startApp } from '../../helpers/server/server-app.ts';
import { watchDisk } from '../../helpers/server/watched-disk.ts';

const idOf = (n: number) => `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`;

async function startOnWatchedDisk(dataDir = makeDataDir()) {
  const watched = watchDisk();
  const site = await startApp({ disk: watched.disk, dataDir });
  const click = async (n: number) => {
    const payload = makeBody({ id: idOf(n) });
    const answer = await site.app.inject({ method: 'POST', url: '/api/log-cta', payload });
    watched.events.push('answered');
    return answer.statusCode === 200 ? answer.json().status : answer.statusCode;
  };
  const health = async () => (await site.app.inject('/healthz')).json();
  return { ...site, ...watched, click, health };
}

test('answers a click after its line is written and synced, in this order', async () => {
  const site = await startOnWatchedDisk();
  site.events.length = 0;
  expect(await site.click(1)).toBe('logged');
  expect(site.events).toEqual(['write clicks.jsonl', 'synced clicks.jsonl', 'answered']);
});

test('syncs a new ledger’s folder before the first answer, also after a rotation', async () => {
  const site = await startOnWatchedDisk();
  expect(await site.click(1)).toBe('logged');
  expect(site.events).toContain('synced folder');
  expect(site.events.indexOf('synced folder')).toBeLessThan(site.events.indexOf('answered'));
  site.events.length = 0;
  const { ledger } = site.config.files;
  writeFileSync(`${ledger}.1`, readFileSync(ledger));
  writeFileSync(ledger, '');
  await site.data.recorder.reopen();
  expect(site.events).toContain('synced folder');
});

test.each(['write', 'sync'] as const)(
  'answers 503 after a %s that fails with EIO, leaves nothing in the file, and recovers with the disk',
  async (call) => {
    const site = await startOnWatchedDisk();
    expect(await site.click(1)).toBe('logged');
    const before = readFileSync(site.config.files.ledger, 'utf8');
    site.break('EIO', call);
    expect(await site.click(2)).toBe(503);
    expect(readFileSync(site.config.files.ledger, 'utf8')).toBe(before);
    expect(await site.health()).toMatchObject({ status: 'failing', faults: { clicks: 'EIO' } });

    site.mend();
    expect(await site.click(2)).toBe('logged');
    expect(await site.click(1)).toBe('duplicate');
    expect(site.lines().map(({ id }) => id)).toEqual([idOf(1), idOf(2)]);
    expect(await site.health()).toEqual({ status: 'ready' });
    await site.close();
    const again = await startApp({ dataDir: site.config.dataDir });
    expect((await again.app.inject('/api/stats')).json().clicks.total).toBe(2);
  },
);

test('after a failed sync, writes the last acknowledged page again before the next sync', async () => {
  const site = await startOnWatchedDisk();
  expect(await site.click(1)).toBe('logged');
  const before = readFileSync(site.config.files.ledger, 'utf8');
  site.break('EIO', 'sync');
  site.events.length = 0;
  expect(await site.click(2)).toBe(503);
  site.mend();
  expect(await site.click(3)).toBe('logged');
  expect(site.events).toEqual([
    ...['write clicks.jsonl', 'truncate clicks.jsonl', 'rewrite clicks.jsonl', 'answered'],
    ...['write clicks.jsonl', 'synced clicks.jsonl', 'answered'],
  ]);
  expect(readFileSync(site.config.files.ledger, 'utf8').startsWith(before)).toBe(true);
});

test('cuts off an incomplete line before the next group, if it could not at once', async () => {
  const site = await startOnWatchedDisk();
  expect(await site.click(1)).toBe('logged');
  site.break('EIO', 'write', 'truncate');
  expect(await site.click(2)).toBe(503);
  expect(() => site.lines()).toThrow('incomplete');
  site.mend();
  expect(await site.click(3)).toBe('logged');
  expect(site.lines().map(({ id }) => id)).toEqual([idOf(1), idOf(3)]);
});

test('syncs the ledger’s folder also for an empty existing ledger', async () => {
  const dataDir = makeDataDir();
  writeFileSync(join(dataDir, 'clicks.jsonl'), '');
  const site = await startOnWatchedDisk(dataDir);
  expect(site.events).toContain('synced folder');
});
