/** Another program deletes, moves, cuts or writes the ledger while the server runs. Acknowledged clicks stay readable. */
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
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

test('deleted without a later click: /healthz and the shutdown restore it', async () => {
  const site = await startWithThree();
  rmSync(site.ledger);
  expect(await site.healthCode()).toBe(200);
  expect(site.lines()).toHaveLength(3);
  rmSync(site.ledger);
  await site.close();
  expect(site.lines()).toHaveLength(3);
});

test('deleted before SIGHUP: the server writes its lines again', async () => {
  const site = await startWithThree();
  rmSync(site.ledger);
  await site.data.recorder.reopen();
  expect(await site.click(4)).toBe('logged');
  await expectClicks(site, [1, 2, 3, 4]);
});

test('deleted, and the disk has no room for its lines: the server rejects clicks until it has', async () => {
  const site = await startWithThree();
  rmSync(site.ledger);
  site.watched.break('ENOSPC', 'write');
  expect(await site.click(4)).toBe(503);
  expect(await site.healthCode()).toBe(503);
  expect(readdirSync(site.config.dataDir).filter((name) => name.includes('jsonl'))).toEqual([]);
  site.watched.mend();
  expect(await site.click(4)).toBe('logged');
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

const firstLines = (text: string, count: number) =>
  `${text.split('\n').slice(0, count).join('\n')}\n`;

test.each([
  ['whole', (text: string) => text],
  ['without its last line', (text: string) => firstLines(text, 2)],
])('rotated and packed before SIGHUP, %s: each click is in the ledger once', async (_how, pack) => {
  const site = await startWithThree();
  writeFileSync(`${site.ledger}-20260131.gz`, gzipSync(pack(readFileSync(site.ledger, 'utf8'))));
  rmSync(site.ledger);
  expect(await site.click(4)).toBe('logged');
  expect(await site.numbers()).toEqual([1, 2, 3, 4]);
  await site.data.recorder.reopen();
  expect(await site.click(5)).toBe('logged');
  expect(await site.numbers()).toEqual([1, 2, 3, 4, 5]);
  await expectClicks(site, [1, 2, 3, 4, 5]);
});

test.each([
  ['is cut short', (text: string) => gzipSync(text).subarray(0, -20)],
  ['lacks its last byte', (text: string) => gzipSync(text).subarray(0, -1)],
  ['has another line', (text: string) => gzipSync(text.replace(idOf(2), idOf(9)))],
  ['is not an archive', () => 'no archive'],
  ['belongs to another ledger', (text: string) => gzipSync(text.replaceAll('-8def-', '-9def-'))],
])(
  'deleted, and the packed file beside it %s: the server writes all lines again',
  async (_how, pack) => {
    const site = await startWithThree();
    writeFileSync(`${site.ledger}-20260131.gz`, pack(readFileSync(site.ledger, 'utf8')));
    rmSync(site.ledger);
    expect(await site.click(4)).toBe('logged');
    expect(site.lines().map(({ id }) => id)).toEqual([1, 2, 3, 4].map(idOf));
    expect(site.said()[0]).toMatch(/ was deleted or replaced /);
  },
);

test('the packed file ends within a line, because the server wrote it just then: the whole line is kept once', async () => {
  const site = await startWithThree();
  const text = readFileSync(site.ledger, 'utf8');
  writeFileSync(`${site.ledger}-20260131.gz`, gzipSync(text.slice(0, -30)));
  rmSync(site.ledger);
  writeFileSync(site.ledger, '');
  expect(await site.click(4)).toBe('logged');
  expect(site.said()).toEqual([expect.stringMatching(/was packed or copied to .*-20260131\.gz/)]);
  const read = readdirSync(site.config.dataDir).filter((name) => /jsonl(-\d+)*$/.test(name));
  const ids = read.flatMap((name) => site.linesOf(name).map(({ id }) => id));
  expect(ids.sort()).toEqual([idOf(3), idOf(4)]);
});

test('a copy under a rotated name, then deleted: the copy is enough, and nothing is written again', async () => {
  const site = await startWithThree();
  writeFileSync(`${site.ledger}.1`, readFileSync(site.ledger));
  rmSync(site.ledger);
  expect(await site.click(4)).toBe('logged');
  expect(await site.numbers()).toEqual([1, 2, 3, 4]);
  await expectClicks(site, [1, 2, 3, 4]);
});

test('moved to a name that rotation does not give: the server reports it, and begins a new file', async () => {
  const site = await startWithThree();
  renameSync(site.ledger, `${site.ledger}.old`);
  expect(await site.click(4)).toBe('logged');
  expect(site.lines().map(({ id }) => id)).toEqual([idOf(4)]);
  expect(site.said()).toEqual([expect.stringContaining('was moved away')]);
  expect(await site.click(1)).toBe('duplicate');
});

test('moved to a rotated name, before SIGHUP: the server continues in it', async () => {
  const site = await startWithThree();
  renameSync(site.ledger, `${site.ledger}-20260131`);
  expect(await site.click(4)).toBe('logged');
  expect(await site.numbers()).toEqual([1, 2, 3, 4]);
  expect(site.said()).toEqual([]);
  await expectClicks(site, [1, 2, 3, 4]);
});

test('cut, then a write fails: no zeros, the acknowledged click is readable, the rejected one does not count', async () => {
  const site = await startWithThree();
  truncateSync(site.ledger, readFileSync(site.ledger, 'utf8').indexOf('\n') + 20);
  site.watched.break('ENOSPC', 'write');
  expect(await site.click(4)).toBe(503);
  expect(readFileSync(site.ledger).includes(0)).toBe(false);
  site.watched.mend();
  expect(await site.click(5)).toBe('logged');
  expect(site.lines().map(({ id }) => id)).toEqual([1, 5].map(idOf));
  expect(site.said()[0]).toMatch(/^Another program cut \d+ bytes off .*clicks\.jsonl/);
  expect(await site.total()).toBe(4);
  await site.close();
  const again = await start(site.config.dataDir);
  expect(await again.total()).toBe(4);
  expect(await again.click(4)).toBe('logged');
  expect(await again.click(5)).toBe('duplicate');
});

test('cut during the write of a group: the server rejects the group, and browsers can send it again', async () => {
  const site = await startWithThree();
  site.watched.afterNextWrite(() => truncateSync(site.ledger, 0));
  expect(await site.click(4)).toBe(503);
  expect(await site.click(4)).toBe('logged');
  expect(site.lines().map(({ id }) => id)).toEqual([idOf(4)]);
});

test('written by another program: the server counts those lines too', async () => {
  const site = await startWithThree();
  const [first = ''] = readFileSync(site.ledger, 'utf8').split('\n');
  appendFileSync(site.ledger, `${first.replace(idOf(1), idOf(9))}\n`);
  expect(await site.click(4)).toBe('logged');
  expect(await site.click(9)).toBe('duplicate');
  expect(site.said()[0]).toMatch(/^Another program wrote \d+ bytes to /);
  await expectClicks(site, [1, 2, 3, 4, 9]);
});
