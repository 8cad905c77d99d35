import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { line, makeLedger } from '../helpers/server/ledger-lines.ts';
import { postClick } from '../helpers/server/post-click.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';

const verify = (dataDir: string, ...args: string[]) =>
  runCli('clicks.ts', ['verify', ...args], { DATA_DIR: dataDir });
const idOf = (n: number) => `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`;

/** A ledger with its index, as a server leaves them. */
async function indexed(...lines: string[]) {
  const made = makeLedger(...lines);
  await (await startApp({ dataDir: made.dataDir })).close();
  return { ...made, index: join(made.dataDir, 'site.sqlite') };
}

function change(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

test('verify finds no difference in ledgers with rotated files, forgotten clicks and their indexes', async () => {
  const a = await indexed(line(1), line(2, { is_bot: true }));
  const forgotten = { forgotten_at: '2026-01-31T00:00:00.000Z' };
  const { id, event, received_at, is_bot } = JSON.parse(line(3));
  const b = await indexed(JSON.stringify({ id, event, received_at, is_bot, ...forgotten }));
  writeFileSync(`${a.ledger}.1.gz`, gzipSync(''));
  const { code, out, err } = await verify(a.dataDir, '--ledger', b.dataDir);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain(`${a.ledger}: 1 files, 2 lines, 2 clicks.\n`);
  expect(out).toMatch(/\nNo difference\.\n$/);
});

test('verify names lines that are no clicks, repeated ids, torn ends and damaged files', async () => {
  const { dataDir, ledger } = await indexed(line(1), line(2));
  appendFileSync(ledger, `garbage\n${line(1)}\n${line(3)}`);
  renameSync(ledger, `${ledger}.1`);
  writeFileSync(ledger, '');
  writeFileSync(`${ledger}.2.gz`, gzipSync(`${line(2)}\n`).subarray(0, 30));
  const { code, out, err } = await verify(dataDir);
  expect(code).toBe(1);
  expect(out).toContain(`Not a click: line 3 of ${ledger}.1\n`);
  expect(out).toContain(`The id ${idOf(1)} is there twice, now in line 4 of ${ledger}.1\n`);
  expect(out).toContain(`The last ${line(3).length} bytes of ${ledger}.1 are not a whole line\n`);
  expect(out).toContain(`${ledger}.2.gz is damaged`);
  expect(err).toBe('4 differences.\n');
});

test('verify says how the index differs, --limit of each kind', async () => {
  const { dataDir, ledger, index } = await indexed(line(1), line(2), line(3));
  const day = JSON.parse(line(1)).received_at.slice(0, 10);
  change(index, `DELETE FROM clicks WHERE id <> unhex('${idOf(1)}', '-')`);
  change(index, `INSERT INTO clicks VALUES (unhex('${idOf(9)}', '-'))`);
  change(index, 'UPDATE clicks_per_day SET count = 7');
  const { code, out, err } = await verify(dataDir, '--limit', '1');
  expect([code, err]).toEqual([1, '4 differences.\n']);
  expect(out).toContain(`The index lacks ${idOf(2)}, line 2 of ${ledger}\n`);
  expect(out).not.toContain(idOf(3));
  expect(out).toContain('2 clicks that the index lacks: the first 1 are above.\n');
  expect(out).toContain(`Only the index has ${idOf(9)}\n`);
  expect(out).toContain(`${day} hero_cta_click person: 7 in the index, 3 in the ledgers\n`);
});

test.each([
  ['an invented button', 'x_cta_click'],
  ['a button of a newer page', 'middle_cta_click'],
])('verify finds no difference after a click on %s', async (_what, event) => {
  const site = await startApp();
  const robot = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };
  const answers = [
    await postClick(site, makeBody({ event })),
    await postClick(site, makeBody({ event }), robot),
    await postClick(site, makeBody()),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 200]);
  const { code, out, err } = await verify(site.config.dataDir);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('3 clicks.');
});

test('verify still sees a wrong count of unknown buttons, and buttons that the server has learnt since', async () => {
  const { dataDir, index } = await indexed(line(1), line(2, { event: 'x_cta_click' }));
  const day = JSON.parse(line(1)).received_at.slice(0, 10);
  change(index, "UPDATE clicks_per_day SET count = 5 WHERE event = 'unknown'");
  const wrong = await verify(dataDir);
  expect([wrong.code, wrong.err]).toEqual([1, '1 difference.\n']);
  expect(wrong.out).toContain(`${day} unknown person: 5 in the index, 1 in the ledgers\n`);
  change(index, "UPDATE clicks_per_day SET count = count - 3 WHERE event = 'unknown'");
  change(index, "DELETE FROM clicks_per_day WHERE event = 'hero_cta_click'");
  const learnt = await verify(dataDir);
  expect([learnt.code, learnt.err]).toEqual([1, '2 differences.\n']);
  await runCli('clicks.ts', ['rebuild'], { DATA_DIR: dataDir });
  expect((await verify(dataDir)).code).toBe(0);
});

test('verify reports a missing index and unknown files, and changes nothing', async () => {
  const { dataDir, ledger } = makeLedger(line(1));
  writeFileSync(join(dataDir, 'old-clicks.jsonl'), `${line(2)}\n`);
  writeFileSync(join(dataDir, 'notes.txt'), '');
  const { code, out, err } = await verify(dataDir);
  expect(code).toBe(1);
  expect(out).toContain(`There is no index at ${join(dataDir, 'site.sqlite')}.`);
  expect(out).toContain(join(dataDir, 'notes.txt'));
  expect(err).toContain(`no ledger file has such a name: ${join(dataDir, 'old-clicks.jsonl')}.`);
  expect(readFileSync(ledger, 'utf8')).toBe(`${line(1)}\n`);
});

test('verify finds no difference while a server takes clicks', async () => {
  const { app, config } = await startApp();
  let isDone = false;
  const visitors = (async () => {
    while (!isDone) await app.inject({ method: 'POST', url: '/api/log-cta', payload: makeBody() });
  })();
  const { code, out, err } = await verify(config.dataDir);
  isDone = true;
  await visitors;
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/ [1-9]\d* clicks\./);
});

test('a server names at its start the files that it does not read', async () => {
  const { dataDir } = makeLedger(line(1));
  const file = join(dataDir, 'old-clicks.jsonl');
  writeFileSync(file, '');
  const { logged } = await startApp({ dataDir });
  expect(logged().map(({ msg }) => msg)).toEqual(
    [
      ...['Took 1 clicks from the ledger into the index'],
      expect.stringContaining(`no ledger file has such a name: ${file}.`),
    ].reverse(),
  );
});

test('verify tells lost lines from forgotten clicks: their lines are still there', async () => {
  const { dataDir, ledger } = await indexed(line(1), line(2));
  const note = {
    ...{ deleted_at: '2026-01-31T00:00:00.000Z', file: 'clicks.jsonl', clicks: 1, robots: 0 },
    ...{ oldest: '2026-01-30T00:00:00.000Z', newest: '2026-01-30T00:00:00.000Z' },
  };
  const notes = join(dataDir, 'clicks.deleted.jsonl');
  writeFileSync(notes, `${JSON.stringify({ ...note, reason: 'forgotten' })}\n`);
  writeFileSync(ledger, `${line(1)}\n`);
  const { code, out } = await verify(dataDir);
  expect([code, out]).toEqual([1, expect.stringContaining(`Only the index has ${idOf(2)}\n`)]);
  // A click that was deleted by age is in the index alone, and that is right.
  writeFileSync(notes, `${JSON.stringify(note)}\n`);
  expect(await verify(dataDir)).toMatchObject({ code: 0 });
});
