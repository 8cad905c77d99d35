/** docs/data-map.md names every field that is kept, wherever it is. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { COPIED_FIELDS } from '#contract/click-fields.schema.ts';
import { makeRegisterBodySchema } from '#contract/register.schema.ts';
import { REGISTER_MESSAGES } from '#contract/register-messages.ts';
import { CLICK_LINE_FIELDS } from '../../server/clicks/import-clicks.ts';
import { readSettings } from '../../server/settings.ts';
import { startApp } from '../helpers/server/server-app.ts';

const SECTIONS = new Map(
  readFileSync('docs/data-map.md', 'utf8')
    .split(/^## /m)
    .map((text) => [text.split('\n', 1)[0], text]),
);
const rowsOf = (text: string) => text.split('\n').filter((one) => one.startsWith('| '));
/** The names in the first column of a section's table. */
const names = (title: string) =>
  rowsOf(SECTIONS.get(title) ?? '').flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );

test('every row says what, how long, why and who', () => {
  const rows = [...SECTIONS.values()].flatMap(rowsOf);
  expect(rows.length).toBeGreaterThan(40);
  for (const row of rows) {
    const cells = row.slice(2, -2).split(' | ');
    expect([row, cells.length, cells.every((cell) => cell.trim() !== '')]).toEqual([row, 5, true]);
  }
});

/** The page describes these together. The privacy page names each (tests/words/privacy.test.ts). */
const isCopied = (name: string) => name in COPIED_FIELDS;

test('every field of a line, of a registration and of a refused click', async () => {
  const ofLine = Object.keys(CLICK_LINE_FIELDS).filter((name) => !isCopied(name));
  expect(names('A click')).toEqual(expect.arrayContaining(ofLine));
  expect(names('A registration')).toEqual(
    expect.arrayContaining(Object.keys(makeRegisterBodySchema(REGISTER_MESSAGES).shape)),
  );
  const site = await startApp();
  await site.postClick({});
  const [refused = {}] = site.refused();
  expect(names('Refused clicks').sort()).toEqual(Object.keys(refused).sort());
});

const FILES = Object.values(readSettings({}).files).map((file) => basename(file));

test('every column of the database, and no other', async () => {
  const site = await startApp();
  const rows = await site.rows(
    "SELECT m.name || '.' || c.name AS name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'",
  );
  const columns = rows
    .map(({ name }) => String(name))
    .filter((name) => !isCopied(name.replace('clicks.', '')));
  expect(columns.length).toBeGreaterThan(40);
  const named = [...SECTIONS.keys()].flatMap((title) => names(title ?? ''));
  const ofTables = named.filter((name) => /^\w+\.\w+$/.test(name) && !FILES.includes(name));
  expect(ofTables.sort()).toEqual(columns.sort());
});

test('every file of a data folder', () => {
  const text = [...SECTIONS.values()].join('');
  expect(FILES.filter((file) => !text.includes(`\`${file}`))).toEqual([]);
});

test('every key of the browser’s storage that the privacy page lists', () => {
  const privacy = readFileSync('words/en/help/privacy.md', 'utf8');
  const [, stored = ''] = /\{#stored\}(.*?)\n[^\n]*## /s.exec(privacy) ?? [];
  const shown = [...stored.matchAll(/`(.+?)…?`/g)].map(([, key]) => key);
  expect(names('In the browser').sort()).toEqual(shown.sort());
});
