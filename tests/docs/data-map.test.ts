/** docs/data-map.md names every field that is kept, wherever it is. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { clickLineSchema } from '#contract/click-line.schema.ts';
import { makeRegisterBodySchema } from '#contract/register.schema.ts';
import { REGISTER_MESSAGES } from '#contract/register-messages.ts';
import { dataFiles } from '../../server/settings.ts';
import { postClick } from '../helpers/server/post-click.ts';
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

test('every field of a line, of a registration and of a refused click', async () => {
  expect(names('A click')).toEqual(expect.arrayContaining(Object.keys(clickLineSchema.shape)));
  expect(names('A registration')).toEqual(
    expect.arrayContaining(Object.keys(makeRegisterBodySchema(REGISTER_MESSAGES).shape)),
  );
  const site = await startApp();
  await postClick(site, {});
  const [refused = {}] = site.refused();
  expect(names('Refused clicks').sort()).toEqual(Object.keys(refused).sort());
});

const FILES = Object.values(dataFiles('data')).map((file) => basename(file));

test('every column of the database, and no other', async () => {
  const site = await startApp();
  const rows = await site.rows(
    "SELECT m.name || '.' || c.name AS name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'",
  );
  const columns = rows.map(({ name }) => name);
  expect(columns.length).toBeGreaterThan(40);
  const named = [...SECTIONS.keys()].flatMap((title) => names(title ?? ''));
  const ofTables = named.filter((name) => /^\w+\.\w+$/.test(name) && !FILES.includes(name));
  expect(ofTables.sort()).toEqual(columns.sort());
});

test('every file of a data folder', () => {
  const text = [...SECTIONS.values()].join('');
  expect(FILES.filter((file) => !text.includes(`\`${file}`))).toEqual([]);
});

const SOURCES = globSync('{browser,components,pages,renderer}/**/*.{ts,tsx}');
/** Each file that writes into the browser's storage, and its keys. A new one needs a row. */
const WRITERS = {
  'browser/opt-out.ts': ['counting', 'internal'],
  'components/islands/register-form/form-draft.ts': ['register-draft'],
  'browser/clicks/outbox.ts': ['clicks-dropped'],
  'browser/inline/capture-inline.ts': ['click:'],
};

test('every key of the browser’s storage, and no cookie', () => {
  const writers = SOURCES.filter((file) => /\.setItem\(/.test(readFileSync(file, 'utf8')));
  expect(writers.sort()).toEqual(Object.keys(WRITERS).sort());
  const named = names('In the browser');
  expect(named).toEqual(expect.arrayContaining(Object.values(WRITERS).flat()));
  const privacy = readFileSync('words/en/help/privacy.md', 'utf8');
  const [, stored = ''] = /\{#stored\}(.*?)\n[^\n]*## /s.exec(privacy) ?? [];
  const shown = [...stored.matchAll(/`(.+?)…?`/g)].map(([, key]) => key);
  expect(named.sort()).toEqual(shown.sort());
  const keys = SOURCES.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/const \w*(?:KEY|PREFIX) = '([^']+)'/g),
  ]).map(([, key = '']) => key);
  expect(keys.filter((key) => !named.includes(key))).toEqual([]);
  const others = /document\.cookie|indexedDB|\bcaches\.|BroadcastChannel/;
  expect(SOURCES.filter((file) => others.test(readFileSync(file, 'utf8')))).toEqual([]);
});
