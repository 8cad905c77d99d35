/**
 * SQLite's files, as operators and machines delete, replace and overwrite them while a server runs
 * and between two starts.
 */
import {
  copyFileSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { copyDatabase } from '../../../server/database/sqlite/copy-database.ts';
import { dayOf } from '../../../server/time.ts';
import { runSite } from '../../helpers/server/run-site.ts';
import { ADMIN_PASSWORD, readReasons } from '../../helpers/server/scrape.ts';
import { makeBody, type Site, startApp } from '../../helpers/server/server-app.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

async function click(site: Site, times = 1) {
  const ids = Array.from({ length: times }, () => v7());
  for (const id of ids) await site.postClick(makeBody({ id }));
  return ids;
}

const statusOf = async (site: Site) => (await site.postClick(makeBody())).statusCode;
const idsOf = async ({ rows }: Site) =>
  (await rows('SELECT id FROM clicks ORDER BY id')).map(({ id }) => String(id));
/** Starts a server that says its reasons. */
const start = (options: { dataDir?: string } = {}) =>
  startApp({ env: { ADMIN_PASSWORD }, ...options });
const saidBy = (site: Site) => site.logged().map(({ msg }) => String(msg));

/** Removes the three files of the database, as an operator does. */
function removeDatabase(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
}

test.each([
  { what: 'its write-ahead log is deleted', slip: (file: string) => rmSync(`${file}-wal`) },
  { what: 'it is deleted', slip: (file: string) => rmSync(file) },
  {
    what: 'a copy takes its place',
    slip: (file: string) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  },
  {
    what: 'an empty write-ahead log takes its place',
    slip: (file: string) => {
      writeSync(openSync(`${file}.empty`, 'w'), '');
      renameSync(`${file}.empty`, `${file}-wal`);
    },
  },
])(
  'while the server runs, $what: no click is acknowledged, and all are saved first',
  async ({ slip }) => {
    const site = await start();
    const ids = await click(site, 20);
    const { database } = site.config.files;
    slip(database);
    expect(await statusOf(site)).toBe(503);
    const [reason = ''] = await readReasons(site);
    const [, saved = ''] =
      /was moved, deleted or replaced\. All that the server had is saved in (\S+)\. Stop the server/.exec(
        reason,
      ) ?? [];
    expect(await statusOf(site)).toBe(503);
    expect(
      readdirSync(site.config.dataDir).filter((name) => name.includes('.saved-')),
    ).toHaveLength(1);
    await site.close();
    removeDatabase(database);
    renameSync(saved, database);
    const next = await start({ dataDir: site.config.dataDir });
    expect(await idsOf(next)).toEqual(ids);
    expect(await statusOf(next)).toBe(200);
  },
);

test.each([
  { what: 'by an older backup', from: 'backup' },
  { what: 'by an older copy of its file', from: 'copy' },
  { what: 'by something else', from: 'garbage', isDamaged: true },
  { what: 'by nothing', from: 'nothing', isDamaged: true },
  { what: 'by its own first half', from: 'half' },
])(
  'a database that is overwritten in its place $what takes no click',
  async ({ from, isDamaged = false }) => {
    const before = await start();
    const { dataDir, files } = before.config;
    const { database } = files;
    await click(before, 5);
    await before.close();
    const copy = join(dataDir, 'copy.db');
    copyFileSync(database, copy);
    const site = await start({ dataDir });
    await click(site, 5);
    if (from === 'backup') copyDatabase(database, copy);
    // Its times may be those of the original.
    if (from === 'backup' || from === 'copy') copyFileSync(copy, database);
    if (from === 'copy') utimesSync(database, 1, 1);
    if (from === 'garbage') writeSync(openSync(database, 'r+'), Buffer.alloc(8192, 7));
    if (from === 'nothing') truncateSync(database, 0);
    if (from === 'half') truncateSync(database, 40_960);
    expect(await statusOf(site)).toBe(503);
    const how = isDamaged ? 'and is damaged' : 'perhaps with an older copy';
    expect(await readReasons(site)).toContainEqual(
      expect.stringMatching(
        `site.db was overwritten while the server ran, ${how}. .+ import the log`,
      ),
    );
  },
);

test('checkpoints of the server and of commands beside it are no fault, and neither is an outside VACUUM', async () => {
  // With a PostHog, the command would wait for a batch on its way.
  const site = await startApp({ env: { ADMIN_PASSWORD }, site: { posthogKey: null } });
  const ids = await click(site, 3);
  const { database } = site.config.files;
  const env = { DATA_DIR: site.config.dataDir };
  // Both checkpoint: the command when it has overwritten rows, the server for it.
  await runSite(['forget', '--ip', '127.0.0.1', '--build', makeDist({ posthogKey: null })], env);
  ids.push(...(await click(site, 3)));
  await site.data.db.overwriteDeleted([]);
  ids.push(...(await click(site, 3)));
  const { DatabaseSync } = await import('node:sqlite');
  const outside = new DatabaseSync(database);
  outside.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  outside.close();
  ids.push(...(await click(site, 3)));
  expect(await idsOf(site)).toEqual(ids);
  expect(await readReasons(site)).toEqual([]);
});

test('a start on a table that has lost clicks names them, with the command that brings them back', async () => {
  const site = await start();
  const { dataDir, files } = site.config;
  const early = await click(site, 3);
  const backup = join(dataDir, 'backup.db');
  copyDatabase(files.database, backup);
  const late = await click(site, 4);
  await site.close();
  removeDatabase(files.database);
  renameSync(backup, files.database);

  const next = await start({ dataDir });
  await next.data.comparison?.begin();
  const log = join(dataDir, `clicks-${dayOf(Date.now())}.jsonl`);
  const today = dayOf(Date.now());
  expect(saidBy(next)).toContain(
    `Clicks since ${today}: in the table 3, the newest ${early.at(-1)}; in the log 7, the newest ${late.at(-1)}`,
  );
  const text = `The log has 4 clicks that the table lacks. Bring them back, also while the server runs: DATA_DIR=${dataDir} npm run -s site -- import ${log}`;
  expect(next.logged()).toContainEqual(expect.objectContaining({ level: 40, msg: text }));
  expect(await readReasons(next)).toContain(text);
  const words = text.split('npm run -s site -- ')[1]?.split(' ') ?? [];
  await runSite([...words, '--build', makeDist()], { DATA_DIR: dataDir });
  expect(await idsOf(next)).toEqual([...early, ...late]);
  expect(await readReasons(next)).not.toContain(text);
});

test('a start after a normal stop says that table and log agree', async () => {
  const site = await start();
  const ids = await click(site, 5);
  // A repetition has a line, and no row of its own.
  await site.postClick(makeBody({ id: ids[0] }));
  await site.close();
  const next = await start({ dataDir: site.config.dataDir });
  await next.data.comparison?.begin();
  const both = `5, the newest ${ids.at(-1)}`;
  expect(saidBy(next).filter((text) => text.includes('Clicks since'))).toEqual([
    `Clicks since ${dayOf(Date.now())}: in the table ${both}; in the log ${both}`,
  ]);
  expect(saidBy(next).filter((text) => text.includes('lacks'))).toEqual([]);
});
