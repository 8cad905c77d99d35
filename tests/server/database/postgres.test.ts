/**
 * What the server asks of PostgreSQL at each connection, and what it says when the answer is wrong.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openReader } from '../../../server/database/open-reader.ts';
import { query } from '../../helpers/cluster/postgres.ts';
import { DATABASES, postgresEnv } from '../../helpers/server/databases.ts';
import { freePort } from '../../helpers/server/local-server.ts';
import { runSite } from '../../helpers/server/run-site.ts';
import { ADMIN_PASSWORD, readReasons } from '../../helpers/server/scrape.ts';
import { makeBody, type Site, startApp } from '../../helpers/server/server-app.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

const nameOf = (url: string) => new URL(url).host + new URL(url).pathname;
const databaseOf = (url: string) => new URL(url).pathname.slice(1);
const adminOf = (url: string) => new URL('/postgres', url).href;
const click = async ({ postClick }: Site) => (await postClick(makeBody())).statusCode;
const isReady = async ({ app }: Site) => (await app.inject('/readyz')).statusCode === 200;
const probeAndClick = async (site: Site) => {
  await site.data.health.probe();
  return click(site);
};
const probeAndAsk = async (site: Site) => {
  await site.data.health.probe();
  return readReasons(site);
};
const start = (...urls: string[]) =>
  startApp({ env: { ...postgresEnv(urls.join(',')), ADMIN_PASSWORD } });

/** Fences a database, or ends its fence, as an operator does. */
const setReadOnly = (url: string, value: 'on' | 'off') =>
  query(
    adminOf(url),
    `ALTER DATABASE ${databaseOf(url)} SET default_transaction_read_only = ${value}`,
  );

/** Ends each connection to the database. */
const cut = (url: string) =>
  query(
    adminOf(url),
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${databaseOf(url)}'`,
  );

const INSERT_TIMEOUTS = `INSERT INTO public.timeouts
  SELECT
    (SELECT setting FROM pg_settings WHERE name = $n$lock_timeout$n$)::int,
    (SELECT setting FROM pg_settings WHERE name = $n$statement_timeout$n$)::int;`;
/** Notes the timeouts, in milliseconds, of each statement that makes or changes a table. */
const NOTE_TIMEOUTS = `
  CREATE TABLE public.timeouts (lock_ms INT, statement_ms INT);
  CREATE FUNCTION public.note() RETURNS event_trigger LANGUAGE plpgsql
    AS 'BEGIN ${INSERT_TIMEOUTS} END';
  CREATE EVENT TRIGGER note ON ddl_command_end EXECUTE FUNCTION public.note()`;
/** Notes those of each group of clicks in place of them. */
const NOTE_TIMEOUTS_OF_CLICKS = `
  DROP EVENT TRIGGER note;
  TRUNCATE public.timeouts;
  CREATE FUNCTION public.note_click() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN ${INSERT_TIMEOUTS} RETURN NULL; END';
  CREATE TRIGGER note AFTER INSERT ON site.clicks EXECUTE FUNCTION public.note_click()`;

describe.each(DATABASES.filter(({ name }) => name === 'PostgreSQL'))('on $name', ({ makeEnv }) => {
  const makeDatabase = async () => String((await makeEnv()).DATABASE_URL);

  test('with two servers that take writes, it takes no click and names both, until one is fenced', async () => {
    const [one, other] = [await makeDatabase(), await makeDatabase()];
    const site = await start(one, other);
    const both = `Clicks cannot be kept: PostgreSQL: ${nameOf(one)} and ${nameOf(other)} both take writes, so each would have a part of the clicks. Stop the one that is no longer the primary.`;
    await expect.poll(() => readReasons(site)).toEqual([both]);
    expect(await click(site)).toBe(503);
    expect(site.logged()).toContainEqual(expect.objectContaining({ level: 50, msg: both }));
    expect((await site.app.inject('/')).statusCode).toBe(200);
    await setReadOnly(one, 'on');
    await expect.poll(() => probeAndClick(site)).toBe(200);
    expect(await isReady(site)).toBe(true);
    expect(await query(other, 'SELECT id FROM site.clicks')).toHaveLength(1);
  });

  test('a second primary that comes while the server runs is found at the next connection', async () => {
    const [old, used] = [await makeDatabase(), await makeDatabase()];
    await setReadOnly(old, 'on');
    const site = await start(old, used);
    expect(await click(site)).toBe(200);
    await setReadOnly(old, 'off');
    await cut(used);
    // The end of the connection is the first reason.
    await expect
      .poll(() => probeAndAsk(site))
      .toEqual([expect.stringContaining(' both take writes')]);
    expect(await click(site)).toBe(503);
    expect(await query(used, 'SELECT id FROM site.clicks')).toHaveLength(1);
  });

  test('after a split, `import` of the server’s log brings the clicks of the other table into one', async () => {
    const [old, kept] = [await makeDatabase(), await makeDatabase()];
    await setReadOnly(kept, 'on');
    const before = await start(old, kept);
    expect([await click(before), await click(before)]).toEqual([200, 200]);
    await before.close();
    await setReadOnly(kept, 'off');
    await setReadOnly(old, 'on');
    const { dataDir } = before.config;
    const site = await startApp({ env: postgresEnv(`${old},${kept}`), dataDir });
    expect(await click(site)).toBe(200);
    const env = { ...postgresEnv(`${old},${kept}`), DATA_DIR: dataDir };
    const files = globSync(join(dataDir, 'clicks-*.jsonl'));
    for (let n = 0; n < 2; n += 1) {
      expect(await runSite(['import', '--build', makeDist(), ...files], env)).toMatchObject({
        code: 0,
        err: '',
      });
      expect(await query(kept, 'SELECT id FROM site.clicks')).toHaveLength(3);
    }
  });

  test('two addresses of one database are one server', async () => {
    const url = await makeDatabase();
    const site = await start(url, url.replace('127.0.0.1', 'localhost'));
    expect([await click(site), await readReasons(site)]).toEqual([200, []]);
  });

  test.each([
    { level: 'database', fence: (url: string) => setReadOnly(url, 'on').then(() => url) },
    {
      level: 'URL',
      fence: async (url: string) => `${url}?options=-cdefault_transaction_read_only%3Don`,
    },
    {
      level: 'role',
      async fence(url: string) {
        const role = `fenced_${databaseOf(url)}`;
        await query(url, `CREATE ROLE ${role} LOGIN SUPERUSER`);
        await query(url, `ALTER ROLE ${role} SET default_transaction_read_only = on`);
        return url.replace('site@', `${role}@`);
      },
    },
  ])(
    'a server that is read-only by its $level is skipped, and named if it is the only one',
    async ({ fence }) => {
      const fenced = await fence(await makeDatabase());
      const site = await start(fenced, await makeDatabase());
      expect([await click(site), await readReasons(site)]).toEqual([200, []]);
      const alone = await start(fenced);
      const reason = `Clicks cannot be kept: PostgreSQL takes no writes: ${nameOf(fenced)} is read-only.`;
      await expect.poll(() => readReasons(alone)).toEqual([reason]);
    },
  );

  test('the reason is that of the server that took writes last, wherever it is in the list', async () => {
    const gone = `postgres://site@127.0.0.1:${await freePort()}/site`;
    const url = await makeDatabase();
    const site = await start(gone, url);
    expect(await click(site)).toBe(200);
    await query(adminOf(url), `ALTER DATABASE ${databaseOf(url)} ALLOW_CONNECTIONS false`);
    await cut(url);
    // The end of the connection is the first reason.
    await expect
      .poll(() => probeAndAsk(site))
      .toEqual([
        expect.stringMatching(
          `PostgreSQL \\(${nameOf(url)}\\): .* not currently accepting connections`,
        ),
      ]);
  });

  test.each(['LATIN1', 'SQL_ASCII', 'EUC_JP'])(
    'a database in %s takes no click, and is named',
    async (encoding) => {
      const other = await makeDatabase();
      const url = `${other}_${encoding.toLowerCase()}`;
      const options = `ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`;
      await query(adminOf(other), `CREATE DATABASE ${databaseOf(url)} ${options}`);
      const site = await start(url);
      const reason = `Clicks cannot be kept: PostgreSQL (${nameOf(url)}): the database has the encoding ${encoding}, which lacks letters of visitors. Make one with ENCODING 'UTF8'.`;
      await expect.poll(() => readReasons(site)).toEqual([reason]);
      expect((await site.postClick(makeBody({ referrer: 'Żółw-日本-😀' }))).statusCode).toBe(503);
      expect(site.refused()).toEqual([]);
      expect(await query(url, "SELECT to_regnamespace('site') AS made")).toEqual([{ made: null }]);
    },
  );

  test.each([
    'LOCK TABLE site.clicks IN SHARE MODE',
    'LOCK TABLE site.click_counts IN SHARE MODE',
    'LOCK TABLE site.posthog_outbox IN SHARE MODE',
    'UPDATE site.click_counts SET n = n',
  ])(
    'while another session holds `%s`, /readyz says so, and soon after it does not',
    async (sql) => {
      const url = await makeDatabase();
      const site = await start(url);
      expect(await click(site)).toBe(200);
      const other = new Client({ connectionString: url });
      await other.connect();
      onTestFinished(() => other.end());
      await other.query('BEGIN');
      await other.query(sql);
      await site.data.health.probe();
      expect([await isReady(site), await readReasons(site)]).toEqual([
        false,
        [
          expect.stringContaining(
            'another session locks what this server needs (canceling statement due to lock timeout',
          ),
        ],
      ]);
      await other.query('ROLLBACK');
      await site.data.health.probe();
      expect([await click(site), await isReady(site)]).toEqual([200, true]);
    },
  );

  test('a migration may wait longer than a click does', async () => {
    const url = await makeDatabase();
    await query(url, NOTE_TIMEOUTS);
    const site = await start(url);
    const bounds = () =>
      query(url, 'SELECT DISTINCT lock_ms, statement_ms FROM public.timeouts ORDER BY 1, 2');
    expect(await bounds()).toEqual([{ lock_ms: 0, statement_ms: 0 }]);
    await query(url, NOTE_TIMEOUTS_OF_CLICKS);
    expect(await click(site)).toBe(200);
    const [{ lock_ms, statement_ms } = {}, ...others] = await bounds();
    expect(others).toEqual([]);
    expect(lock_ms).toBeGreaterThan(0);
    expect(statement_ms).toBeGreaterThan(Number(lock_ms));
  });

  test('a question of the report may take longer than a click waits', async () => {
    const reader = await openReader([await makeDatabase()], '');
    onTestFinished(reader.close);
    const rows: unknown[] = [];
    await reader.each('SELECT pg_sleep(4), 1', [], (row) => rows.push(row));
    expect(rows).toHaveLength(1);
  });
});
