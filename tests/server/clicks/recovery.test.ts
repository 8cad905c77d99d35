import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

type Site = Awaited<ReturnType<typeof startApp>>;
const idOf = (n: number) => `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`;

async function click(site: Site, n: number) {
  const payload = makeBody({ id: idOf(n) });
  const answer = await site.app.inject({ method: 'POST', url: '/api/log-cta', payload });
  return answer.json().status;
}
async function total(site: Site) {
  return (await site.app.inject('/api/stats')).json().clicks.total;
}
/** Makes a data folder with five clicks. */
async function makeFive() {
  const site = await startApp();
  for (let n = 0; n < 5; n += 1) await click(site, n);
  await site.close();
  return site;
}
const warnings = (site: Site) => site.logged().filter((line) => Number(line.level) >= 40);

describe('the index catches up with the ledger', () => {
  test('when it is missing', async () => {
    const { config } = await makeFive();
    rmSync(config.files.clickIndex);
    const site = await startApp({ dataDir: config.dataDir });
    expect(await total(site)).toBe(5);
    expect(await click(site, 3)).toBe('duplicate');
    expect(await click(site, 5)).toBe('logged');
    expect(site.lines()).toHaveLength(6);
  });

  const damages: [name: string, damage: (file: string) => void][] = [
    [
      'no database',
      (file) => writeFileSync(file, 'not a database at all, but long enough to look'.repeat(20)),
    ],
    ['empty', (file) => writeFileSync(file, '')],
    [
      'a damaged database',
      (file) => {
        const bytes = readFileSync(file);
        bytes.fill(0xa5, 4096);
        writeFileSync(file, bytes);
      },
    ],
  ];
  test.each(damages)('when it is %s', async (name, damage) => {
    const { config } = await makeFive();
    damage(config.files.clickIndex);
    const site = await startApp({ dataDir: config.dataDir });
    expect(await total(site)).toBe(5);
    expect(await click(site, 3)).toBe('duplicate');
    if (name === 'empty') return;
    expect(warnings(site)).toHaveLength(1);
    expect(readdirSync(config.dataDir).filter((file) => file.includes('.damaged-'))).toHaveLength(
      1,
    );
  });

  test('when the process ended between ledger and index', async () => {
    const { config } = await makeFive();
    const line = JSON.parse(readFileSync(config.files.ledger, 'utf8').split('\n')[0] ?? '');
    appendFileSync(config.files.ledger, `${JSON.stringify({ ...line, id: idOf(9) })}\n{"torn":`);
    const site = await startApp({ dataDir: config.dataDir });
    expect(await total(site)).toBe(6);
    expect(await click(site, 9)).toBe('duplicate');
    expect(site.lines()).toHaveLength(6);
    expect(await site.rejected()).toMatchObject([{ reason: 'torn_line', body: '{"torn":' }]);
  });

  test('when the ledger was rotated and packed while no server ran', async () => {
    const { config } = await makeFive();
    const { ledger, clickIndex } = config.files;
    writeFileSync(`${ledger}.2.gz`, gzipSync(readFileSync(ledger)));
    rmSync(ledger);
    rmSync(clickIndex);
    const site = await startApp({ dataDir: config.dataDir });
    expect(await total(site)).toBe(5);
    expect(await click(site, 1)).toBe('duplicate');
  });

  test('and skips lines that are not clicks', async () => {
    const { config } = await makeFive();
    appendFileSync(config.files.ledger, 'garbage\n{"id":7}\n\n');
    const site = await startApp({ dataDir: config.dataDir });
    expect(await total(site)).toBe(5);
    expect(warnings(site)).toMatchObject([{ msg: '2 lines of the ledger are not clicks' }]);
  });
});

test('a rotation under load loses no click, and old ids are still known', async () => {
  const site = await startApp();
  await click(site, 1);
  renameSync(site.config.files.ledger, `${site.config.files.ledger}.1`);
  await Promise.all([click(site, 2), site.data.recorder.reopen(), click(site, 3), click(site, 2)]);
  const rotated = readFileSync(`${site.config.files.ledger}.1`, 'utf8');
  expect(
    `${rotated}${readFileSync(site.config.files.ledger, 'utf8')}`.match(/"level"/g),
  ).toHaveLength(3);
  expect(await click(site, 1)).toBe('duplicate');
  await site.close();

  const again = await startApp({ dataDir: site.config.dataDir });
  expect(await total(again)).toBe(3);
  expect(again.logged()).toEqual([]);
});

test('a second server on one ledger does not start, and says why', async () => {
  const site = await startApp();
  await expect(startApp({ dataDir: site.config.dataDir })).rejects.toThrow(
    /Another process is writing .*clicks\.jsonl\. Stop it first/,
  );
  expect(await click(site, 1)).toBe('logged');
});
