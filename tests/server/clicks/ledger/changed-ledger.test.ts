/** Another program deletes, moves, cuts or writes the ledger while the server runs. Acknowledged clicks stay readable. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeBody, readLines, startApp } from '../../../helpers/server/server-app.ts';
import { storedIds } from '../../../helpers/server/server-process.ts';
import { watchDisk } from '../../../helpers/server/watched-disk.ts';

const idOf = (n: number) => `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`;

async function start(dataDir?: string) {
  const watched = watchDisk();
  const site = await startApp({ ...(dataDir && { dataDir }), disk: watched.disk });
  const { app, config } = site;
  const ids = async () => (await storedIds(config.files.ledger)).sort();
  return {
    ...site,
    watched,
    ledger: config.files.ledger,
    ids,
    linesOf: (name: string) => readLines(join(config.dataDir, name)),
    numbers: async () => (await ids()).map((id) => Number(id.slice(-12))),
    click: async (n: number) => {
      const payload = makeBody({ id: idOf(n) });
      const answer = await app.inject({ method: 'POST', url: '/api/log-cta', payload });
      return answer.statusCode === 200 ? answer.json().status : answer.statusCode;
    },
    total: async () => (await app.inject('/api/stats')).json().clicks.total,
    healthCode: async () => (await app.inject('/healthz')).statusCode,
    said: () => site.logged().map(({ msg }) => msg),
  };
}
type Site = Awaited<ReturnType<typeof start>>;

async function startWithThree() {
  const site = await start();
  for (const n of [1, 2, 3]) expect(await site.click(n)).toBe('logged');
  return site;
}

/** Expects these clicks, and no others, also after a restart. */
async function expectClicks(site: Site, numbers: number[]) {
  expect(await site.total()).toBe(numbers.length);
  await site.close();
  const again = await start(site.config.dataDir);
  expect([...new Set(await again.numbers())]).toEqual(numbers);
  expect(await again.total()).toBe(numbers.length);
  for (const n of numbers) expect(await again.click(n)).toBe('duplicate');
  return again;
}

test('deleted: the server writes its lines again, and the next click after them', async () => {
  const site = await startWithThree();
  rmSync(site.ledger);
  site.watched.events.length = 0;
  expect(await site.click(4)).toBe('logged');
  expect(site.watched.events).toEqual([
    ...['write clicks.jsonl', 'synced clicks.jsonl', 'synced folder'],
    ...['write clicks.jsonl', 'synced clicks.jsonl'],
  ]);
  expect(site.lines().map(({ id }) => id)).toEqual([1, 2, 3, 4].map(idOf));
  expect(site.said()).toEqual([
    expect.stringMatching(/clicks\.jsonl was deleted or replaced .* in .*clicks\.jsonl again$/),
  ]);
  await expectClicks(site, [1, 2, 3, 4]);
});

test('replaced by another file: the server keeps and counts it, and saves its own lines under a rotated name', async () => {
  const site = await startWithThree();
  const [first = ''] = readFileSync(site.ledger, 'utf8').split('\n');
  const other = join(site.config.dataDir, 'other');
  writeFileSync(other, `${first}\n${first.replace(idOf(1), idOf(9))}\n`);
  renameSync(other, site.ledger);
  expect(await site.click(4)).toBe('logged');
  expect(site.lines().map(({ id }) => id)).toEqual([1, 9, 4].map(idOf));
  expect(readdirSync(site.config.dataDir)).toContainEqual(
    expect.stringMatching(/^clicks\.jsonl-\d{8}-\d+$/),
  );
  await expectClicks(site, [1, 2, 3, 4, 9]);
});
