/** When a click is answered, it is on the disk; when the disk fails, it is not answered, and nothing of it stays. */
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

test('a click is answered after its line was written and synced, in this order', async () => {
  const site = await startOnWatchedDisk();
  site.events.length = 0;
  expect(await site.click(1)).toBe('logged');
  expect(site.events).toEqual(['write clicks.jsonl', 'synced clicks.jsonl', 'answered']);
});

test('a new ledger’s folder is synced before the first click is answered, also after a rotation', async () => {
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
  'a %s that fails with EIO is a 503, leaves nothing in the file, and is over when the disk works again',
  async (call) => {
    const site = await startOnWatchedDisk();
    expect(await site.click(1)).toBe('logged');
    const before = readFileSync(site.config.files.ledger, 'utf8');
    site.break('EIO', call);
    expect(await site.click(2)).toBe(503);
    expect(readFileSync(site.config.files.ledger, 'utf8')).toBe(before);
    expect(await site.health()).toEqual({ status: 'failing', faults: { clicks: 'EIO' } });

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

test('after a sync that failed, the last acknowledged page is written once more before the next sync', async () => {
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

test('half a line that could not be cut off at once is cut off before the next group', async () => {
  const site = await startOnWatchedDisk();
  expect(await site.click(1)).toBe('logged');
  site.break('EIO', 'write', 'truncate');
  expect(await site.click(2)).toBe(503);
  expect(() => site.lines()).toThrow('incomplete');
  site.mend();
  expect(await site.click(3)).toBe('logged');
  expect(site.lines().map(({ id }) => id)).toEqual([idOf(1), idOf(3)]);
});

test('the ledger’s folder is synced when there is a ledger already, but an empty one', async () => {
  const dataDir = makeDataDir();
  writeFileSync(join(dataDir, 'clicks.jsonl'), '');
  const site = await startOnWatchedDisk(dataDir);
  expect(site.events).toContain('synced folder');
});
