/** The index catches up with ledgers that were packed, copied, truncated, or read by another version. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeBody, makeDataDir, startApp } from '../../helpers/server/server-app.ts';

const idOf = (n: number) => `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`;

const NOW = new Date().toISOString();

/** Lines of random content, so that their archive is long enough to truncate. */
const lineOf = (n: number) =>
  `${JSON.stringify({
    level: 30,
    id: idOf(n),
    event: 'hero_cta_click',
    received_at: NOW,
    noise: Array.from({ length: 4 }, () => Math.random().toString(36)).join(),
  })}\n`;
const linesOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => lineOf(from + i)).join('');

function makeLedger(text: string) {
  const dataDir = makeDataDir();
  const ledger = join(dataDir, 'clicks.jsonl');
  writeFileSync(ledger, text);
  return { dataDir, ledger };
}

async function start(dataDir: string) {
  const site = await startApp({ dataDir });
  return {
    ...site,
    total: async () => (await site.app.inject('/api/stats')).json().clicks.total,
    status: async (n: number) => {
      const payload = makeBody({ id: idOf(n) });
      return (await site.app.inject({ method: 'POST', url: '/api/log-cta', payload })).json()
        .status;
    },
    warnings: () =>
      site.logged().flatMap(({ level, msg }) => (Number(level) >= 40 ? [String(msg)] : [])),
  };
}

/** @param change changes the index of a server that has ended */
async function startWith(dataDir: string, change: (db: DatabaseSync) => void) {
  const site = await start(dataDir);
  await site.close();
  const db = new DatabaseSync(site.config.files.clickIndex);
  change(db);
  db.close();
}

/** An index with the first version of the schema. */
const OLD_SCHEMA = 'ALTER TABLE ledger_position DROP COLUMN first_id; PRAGMA user_version = 1;';
const setOld = (db: DatabaseSync, file: string, offset: number) => {
  db.exec(`${OLD_SCHEMA} DELETE FROM clicks; DELETE FROM clicks_per_day`);
  db.prepare('UPDATE ledger_position SET file = ?, offset = ?').run(
    String(statSync(file).ino),
    offset,
  );
};

test('ignores an older version’s position in a packed file, and reads everything', async () => {
  const text = linesOf(0, 2000);
  const { dataDir, ledger } = makeLedger(lineOf(2000));
  const packed = `${ledger}.1.gz`;
  writeFileSync(packed, gzipSync(text));
  await startWith(dataDir, (db) => setOld(db, packed, lineOf(0).length * 10));
  const site = await start(dataDir);
  expect(await site.total()).toBe(2001);
  expect(site.warnings()).toEqual([]);
});

test('continues from an older version’s position in the current file', async () => {
  const { dataDir, ledger } = makeLedger(linesOf(0, 5));
  await startWith(dataDir, (db) => setOld(db, ledger, statSync(ledger).size));
  writeFileSync(ledger, linesOf(5, 7), { flag: 'a' });
  const site = await start(dataDir);
  expect(await site.total()).toBe(2);
});

test('continues from a position in a file that has been packed since', async () => {
  const { dataDir, ledger } = makeLedger(linesOf(0, 5));
  // If it read a line before the position again, it would count it again.
  await startWith(dataDir, (db) => db.exec('DELETE FROM clicks; DELETE FROM clicks_per_day'));
  writeFileSync(ledger, linesOf(5, 7), { flag: 'a' });
  writeFileSync(`${ledger}-20260131.gz`, gzipSync(readFileSync(ledger)));
  rmSync(ledger);
  const site = await start(dataDir);
  expect(await site.total()).toBe(2);
});

test('reads another file with the same inode from its start', async () => {
  const { dataDir, ledger } = makeLedger(linesOf(0, 5));
  const site = await start(dataDir);
  await site.close();
  const { ino } = statSync(ledger);
  writeFileSync(ledger, linesOf(10, 17));
  expect(statSync(ledger).ino).toBe(ino);
  const again = await start(dataDir);
  expect(await again.total()).toBe(12);
  expect(await again.status(10)).toBe('duplicate');
});

test('reads another file with the same inode from its start, also if one of its lines ends at the position', async () => {
  const first = linesOf(0, 5);
  const { dataDir, ledger } = makeLedger(first);
  const site = await start(dataDir);
  await site.close();
  const others = first.replaceAll('-8def-0', '-8def-1');
  writeFileSync(ledger, others + linesOf(20, 22));
  const again = await start(dataDir);
  expect(await again.total()).toBe(12);
});

test('reads a truncated archive as far as possible, and names it', async () => {
  const { dataDir, ledger } = makeLedger(linesOf(5000, 5003));
  const packed = gzipSync(linesOf(0, 1000));
  writeFileSync(`${ledger}.1.gz`, packed.subarray(0, packed.length * 0.7));
  const site = await start(dataDir);
  const total = await site.total();
  // 70 % of what does not pack well.
  expect(total).toBeGreaterThan(600);
  expect(total).toBeLessThan(1000);
  expect(await site.status(total - 4)).toBe('duplicate');
  expect(await site.status(5002)).toBe('duplicate');
  expect(site.warnings()).toEqual([
    `${ledger}.1.gz is damaged (unexpected end of file). Its lines were read up to there.`,
  ]);
});

test('names a file that is not an archive, and reads the rest', async () => {
  const { dataDir, ledger } = makeLedger(linesOf(0, 3));
  writeFileSync(`${ledger}.1.gz`, 'no archive');
  const site = await start(dataDir);
  expect(await site.total()).toBe(3);
  expect(site.warnings()).toEqual([expect.stringContaining(`${ledger}.1.gz is damaged`)]);
});

test('does not read folders and files with other names than rotation’s, and names them', async () => {
  const { dataDir, ledger } = makeLedger(linesOf(0, 3));
  mkdirSync(`${ledger}.old`);
  mkdirSync(`${ledger}.7`);
  writeFileSync(`${ledger}.bak`, linesOf(10, 13));
  writeFileSync(`${ledger}-20260131-093000`, linesOf(20, 22));
  const site = await start(dataDir);
  expect(await site.total()).toBe(5);
  expect(site.warnings()).toHaveLength(1);
  for (const name of ['.old', '.7', '.bak'])
    expect(site.warnings()[0]).toMatch(new RegExp(`${ledger}\\${name}[,.]`));
  expect(site.warnings()[0]).not.toContain('093000,');
});

test('continues in a copy of the data folder where the original ended', async () => {
  const { dataDir } = makeLedger(linesOf(0, 5));
  await startWith(dataDir, (db) => db.exec('DELETE FROM clicks; DELETE FROM clicks_per_day'));
  const copy = makeDataDir();
  for (const name of ['clicks.jsonl', 'site.sqlite'])
    copyFileSync(join(dataDir, name), join(copy, name));
  writeFileSync(join(copy, 'clicks.jsonl'), linesOf(5, 6), { flag: 'a' });
  const site = await start(copy);
  expect(await site.total()).toBe(1);
});

test('after an interruption continues after the last line read, also in a packed file', async () => {
  const { dataDir, ledger } = makeLedger('');
  writeFileSync(`${ledger}.1.gz`, gzipSync(linesOf(0, 20_000)));
  const site = await startApp({ dataDir, caughtUp: false });
  const readPosition = () => {
    const db = new DatabaseSync(site.config.files.clickIndex);
    const row = db.prepare('SELECT * FROM ledger_position').get();
    db.close();
    return row;
  };
  await expect.poll(readPosition, { timeout: 30_000, interval: 1 }).toBeDefined();
  await site.close();
  expect(Number(readPosition()?.offset)).toBeGreaterThan(statSync(`${ledger}.1.gz`).size / 10);
  const again = await start(dataDir);
  expect(await again.total()).toBe(20_000);
});
