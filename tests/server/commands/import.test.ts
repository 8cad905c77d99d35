/** `site import`: what a log has is in the tables afterwards, once. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { DAY_MS, dayOf } from '../../../server/time.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { COLUMNS_OF_FORGOTTEN } from '../../helpers/server/rows.ts';
import { runSite, spawnSite } from '../../helpers/server/run-site.ts';
import {
  makeBody,
  makeDataDir,
  makeFullBody,
  type Site,
  startApp,
} from '../../helpers/server/server-app.ts';
import { anyBody } from '../../helpers/server/server-bodies.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

const PING = '/api/log-cta?via=ping&event=help_cta_click&referrer=clinic-9';
const clicks = ({ rows }: Site) => rows('SELECT * FROM clicks ORDER BY id');
const counts = ({ rows }: Site) =>
  rows(`SELECT day, event, is_bot, SUM(n) AS n FROM click_counts
    GROUP BY day, event, is_bot HAVING SUM(n) <> 0 ORDER BY day, event, is_bot`);

type Env = Record<string, string>;

/** A line of the log from January. */
const clickLine = (parts: object = {}) =>
  JSON.stringify({
    level: 30,
    time: 1,
    pid: 1,
    hostname: 'old',
    id: v7(),
    visit_id: null,
    event: 'hero_cta_click',
    referrer: 'clinic-7',
    ip: '203.0.113.7',
    timestamp: '2026-01-31T09:30:00.000Z',
    page_url: 'https://site.example/',
    user_agent: 'X',
    is_mobile: true,
    sent_at: null,
    remote_ip: '203.0.113.7',
    received_at: '2026-01-31T09:30:01.000Z',
    via: 'fetch',
    is_bot: false,
    skew_ms: null,
    req_id: 'r1',
    ...parts,
  });

const dist = (settings = {}) => ['--build', makeDist(settings)];
const runImport = (env: Env, ...args: string[]) => runSite(['import', ...dist(), ...args], env);
const report = (...n: number[]) =>
  ['lines read', 'clicks stored', 'already there', 'forgotten', 'too old', 'not clicks']
    .map((what, i) => `  ${what}: ${n[i]}\n`)
    .join('');

/** A database that an import makes, and then a server on it. */
async function afterImport(env: Env, ...args: string[]) {
  const given = { ...env, DATA_DIR: makeDataDir() };
  const { out, err, code } = await runImport(given, ...args);
  const start = () => startApp({ env, dataDir: given.DATA_DIR });
  expect(out).toMatch(/^Into (127\.0\.0\.1:\d+\/test_\w+|\/\S+\/site\.db)\n/);
  return { out: out.replace(/^Into .*\n/, ''), err, code, env: given, start };
}

describe.each(DATABASES)('on $name', ({ makeEnv }) => {
  test('the log of every kind of click becomes the rows and counts that it was written for, once', async () => {
    const env = { ...(await makeEnv()), RATE_LIMIT: '0' };
    const site = await startApp({ env, site: { referrerDetail: 'domain' } });
    const full = makeFullBody({ campaign: { utm_source: 'cure-sma', utm_term: 'a.b~c-d_e' } });
    for (const times of [1, 2, 3]) await site.postClick(full, {}, `/api/log-cta?times=${times}`);
    await site.postClick(makeBody({ ip: null, referrer: null }), { 'sec-gpc': '1' });
    await site.postClick(makeBody(), { 'user-agent': 'Googlebot/2.1' });
    await site.postClick(makeBody({ is_internal: true }));
    await site.postClick(makeBody({ event: 'side_cta_click' }), {}, '/api/log-cta?via=beacon');
    const ping = { 'content-type': 'text/ping', 'user-agent': 'Mozilla/5.0 Chrome/156.0' };
    await site.postClick('PING', ping, PING);
    for (const body of fc.sample(anyBody, { numRuns: 100, seed: 38 })) await site.postClick(body);
    const rows = await clicks(site);
    expect(rows.length).toBeGreaterThan(20);
    const ofGoogle = { referring_class: 'search', referring_site: 'Google' };
    expect(rows).toContainEqual(expect.objectContaining(ofGoogle));

    const log = join(site.config.dataDir, `clicks-${dayOf(Date.now())}.jsonl`);
    const imported = await afterImport(await makeEnv(), log);
    const { length: n } = rows;
    expect(imported).toMatchObject({ err: '', code: 0 });
    expect(imported.out).toBe(`${log}\n${report(n + 2, n, 2, 0, 0, 0)}`);
    const again = await runImport(imported.env, log);
    expect(again.out).toContain(report(n + 2, 0, n + 2, 0, 0, 0));
    const next = await imported.start();
    expect(await clicks(next)).toEqual(rows);
    expect(await counts(next)).toEqual(await counts(site));
    expect(await next.rows('SELECT * FROM posthog_outbox')).toEqual([]);
  });

  test('files are read, packed too, also lines without addresses, and each odd line is counted and named', async () => {
    const folder = makeDataDir();
    const write = (file: string, content: string | Buffer) => {
      writeFileSync(join(folder, file), content);
      return join(folder, file);
    };
    const full = clickLine();
    const { ip: _, remote_ip: __, ...printed } = JSON.parse(clickLine());
    const forgotten = { id: v7(), event: 'lower_cta_click', is_internal: true };
    const marks = { via: 'beacon', is_bot: false, private: true };
    const received_at = '2026-02-01T00:00:00.000Z';
    const cut = clickLine().slice(0, 200);
    const lines = [
      clickLine({ private: true, ip: null, remote_ip: null }),
      'x',
      cut,
      JSON.stringify({ ...forgotten, ...marks, received_at }),
      '{"level":30,"msg":"203.0.113.9"}',
      '7',
      clickLine({ received_at: '2026-01-01T00:00:00.000Z' }),
      clickLine({ via: undefined }),
      cut,
      full,
    ];
    const day = write('clicks-2026-01-31.jsonl', lines.join('\n'));
    const packed = write('packed.gz', gzipSync(`${JSON.stringify(printed)}\n`.repeat(1200)));
    const damaged = write('damaged.gz', gzipSync(clickLine()).subarray(0, -20));
    const picture = write('picture.jpg', 'no click\n');
    const missing = join(folder, 'clicks-2026-01-30.jsonl');
    const days = Math.ceil((Date.now() - Date.parse('2026-01-15')) / DAY_MS);
    const { out, err, code, start } = await afterImport(
      await makeEnv(),
      ...dist({ clickRetentionDays: days, personalDataDays: 0, logIp: 'truncated' }),
      missing,
      damaged,
      picture,
      day,
      packed,
    );
    const named = [
      '2: not JSON, perhaps cut',
      '3: not JSON, perhaps cut',
      '5: not a click: id is not valid',
      '6: not a click: the line is not valid',
      '8: not a click: via is not valid',
      '9: not JSON, perhaps cut',
    ];
    expect(out).toContain(
      [`${day}\n`, report(10, 2, 0, 1, 1, 6), ...named.map((line) => `    line ${line}\n`)]
        .concat(`${packed}\n`, report(1200, 1, 1199, 0, 0, 0))
        .join(''),
    );
    expect(err.split('\n')).toEqual([
      expect.stringContaining(`${missing} cannot be read: ENOENT`),
      `${damaged} cannot be read: unexpected end of file`,
      `${picture} cannot be read: it has no line of a click. Name files such as clicks-2026-01-31.jsonl.`,
      '',
    ]);
    expect(code).toBe(1);
    const { rows } = await start();
    const columns = 'id, event, received_at, forgotten_at, seq, via, is_private, is_mobile, ip';
    const stored = await rows(`SELECT ${columns} FROM clicks`);
    expect(await rows('SELECT CAST(SUM(n) AS INTEGER) AS n FROM click_counts')).toEqual([{ n: 3 }]);
    expect(stored).toHaveLength(4);
    const withLines = stored.filter(({ id }) => full.includes(String(id)) || id === printed.id);
    expect(withLines.map(({ forgotten_at, ip }) => [forgotten_at, ip])).toEqual(
      expect.arrayContaining([
        [null, '203.0.113.0'],
        [null, null],
      ]),
    );
    expect(stored.find(({ id }) => id === forgotten.id)).toEqual({
      id: forgotten.id,
      event: forgotten.event,
      received_at: Date.parse(received_at),
      forgotten_at: Date.parse(received_at),
      seq: null,
      via: 'beacon',
      is_private: true,
      is_mobile: null,
      ip: null,
    });
  });

  test('a click that is forgotten in the log is forgotten in a restored backup, too', async () => {
    const env = await makeEnv();
    const site = await startApp({ env });
    const id = v7();
    await site.postClick(makeBody({ id }));
    const file = join(site.config.dataDir, 'restored.jsonl');
    const received_at = new Date().toISOString();
    const marks = { via: 'fetch', is_bot: false };
    writeFileSync(
      file,
      JSON.stringify({ ...marks, id, event: 'hero_cta_click', received_at, duplicate: true }),
    );
    const { code } = await runImport({ ...env, DATA_DIR: site.config.dataDir }, file);
    expect(code).toBe(0);
    await site.postClick(makeBody({ id }));
    expect(site.lines().at(-1)).not.toHaveProperty('ip');
    const [row] = await clicks(site);
    const left = Object.entries(row ?? {}).filter(([, value]) => value !== null);
    expect(left.map(([column]) => column).sort()).toEqual(COLUMNS_OF_FORGOTTEN);
    expect(await counts(site)).toMatchObject([{ n: 1 }]);
  });

  test('a running server keeps each click meanwhile', async () => {
    const env = await makeEnv();
    const site = await startApp({ env: { ...env, RATE_LIMIT: '0' } });
    const { dataDir } = site.config;
    const file = join(dataDir, 'many.jsonl');
    const many = Array.from({ length: 20_000 }, () => clickLine());
    writeFileSync(file, many.join('\n'));
    const imported = runImport({ ...env, DATA_DIR: dataDir }, file);
    const ids = await site.clickDuring(imported);
    expect(await imported).toMatchObject({ code: 0 });
    expect(ids.length).toBeGreaterThan(10);
    expect(await site.rows('SELECT COUNT(*) AS n FROM clicks')).toEqual([
      { n: ids.length + many.length },
    ]);
  });
});

test('an import of lines from before personalDataDays leaves out who it was', async () => {
  const file = join(makeDataDir(), 'old.jsonl');
  writeFileSync(file, clickLine({ visit_id: v7() }));
  const { start } = await afterImport({}, file);
  const [row] = await clicks(await start());
  expect(row).toMatchObject({ referrer: 'clinic-7', forgotten_at: null, visit_id: null });
  expect([row?.ip, row?.remote_ip, row?.user_agent]).toEqual([null, null, null]);
});

test('an import that finds the database locked ends, and says to run it again', async () => {
  const { config, close } = await startApp();
  const file = join(config.dataDir, 'many.jsonl');
  writeFileSync(file, Array.from({ length: 20_000 }, () => clickLine()).join('\n'));
  await close();
  const child = spawnSite(['import', ...dist(), file], { DATA_DIR: config.dataDir });
  await once(child.stdout, 'data');
  using db = new DatabaseSync(config.files.database, { timeout: 5000 });
  db.exec('BEGIN IMMEDIATE');
  const [message] = await once(child.stderr, 'data');
  expect(String(message)).toContain('database is locked. Run the import again.');
});
