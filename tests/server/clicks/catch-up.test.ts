/** The index catches up with ledgers that were packed, copied, truncated, or read by another version. */
import { statSync, writeFileSync } from 'node:fs';
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
