/** A pooler between server and PostgreSQL: the real PgBouncer, in each of its modes. */
import { describe, expect, inject, test } from 'vitest';
import { startPgbouncer } from '../../helpers/cluster/pgbouncer.ts';
import { query } from '../../helpers/cluster/postgres.ts';
import { findPgbouncer, reportSkipped } from '../../helpers/run/find-programs.ts';
import { DATABASES, postgresEnv } from '../../helpers/server/databases.ts';
import { runSite } from '../../helpers/server/run-site.ts';
import { makeBody, makeDataDir, startApp } from '../../helpers/server/server-app.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

const isMissing = inject('postgresUrl') === null || !findPgbouncer();
if (isMissing) reportSkipped('the tests behind PgBouncer', 'PgBouncer or PostgreSQL is missing');

const POOLER =
  "this is a pooler in transaction mode; give the server's own address in DATABASE_URL, or a pool in session mode.";

async function makeDatabase(): Promise<string> {
  const env = await DATABASES.at(-1)?.makeEnv();
  return env?.DATABASE_URL ?? '';
}
const check = (url: string) =>
  runSite(['check', '--build', makeDist({ posthogKey: null, ipLookupOrigin: null })], {
    DATA_DIR: makeDataDir(),
    ...postgresEnv(url),
  });

describe.skipIf(isMissing)('behind PgBouncer', () => {
  test.each([
    { mode: 'transaction mode', settings: ['pool_mode = transaction'] },
    {
      mode: 'transaction mode, which gives each session in turn',
      settings: ['pool_mode = transaction', 'server_round_robin = 1'],
    },
    {
      mode: 'transaction mode with one session',
      settings: ['pool_mode = transaction', 'default_pool_size = 1'],
    },
    { mode: 'statement mode', settings: ['pool_mode = statement'] },
  ])('in $mode, start and `site check` say so, and change no session of others', async (one) => {
    const url = await makeDatabase();
    const pooled = await startPgbouncer(url, ...one.settings);
    // Several idle sessions, as after the work of another program.
    await Promise.all([1, 2, 3].map(() => query(pooled, 'SELECT pg_sleep(0.05)').catch(() => {})));
    const name = new URL(pooled).host + new URL(pooled).pathname;
    const sentence = `PostgreSQL (${name}): ${POOLER}`;
    await expect(startApp({ env: postgresEnv(pooled) })).rejects.toThrow(sentence);
    expect(await check(pooled)).toMatchObject({ code: 1, err: `${sentence}\n` });
    expect(await query(pooled, 'SHOW search_path')).toEqual([{ search_path: '"$user", public' }]);
  });

  test('in session mode, two servers keep clicks, and one of them does each job', async () => {
    const env = postgresEnv(await startPgbouncer(await makeDatabase(), 'pool_mode = session'));
    expect(await check(String(env.DATABASE_URL))).toMatchObject({ code: 0, err: '' });
    const [one, other] = [await startApp({ env }), await startApp({ env })];
    for (const { postClick } of [one, other, one, other])
      expect((await postClick(makeBody())).statusCode).toBe(200);
    expect(await one.rows('SELECT id FROM clicks')).toHaveLength(4);
    expect(await one.data.db.tryLock('a job')).toBe(true);
    expect(await other.data.db.tryLock('a job')).toBe(false);
  });

  test('an option of DATABASE_URL that it does not take is named', async () => {
    const pooled = await startPgbouncer(await makeDatabase(), 'pool_mode = session');
    const { code, err } = await check(`${pooled}?options=-c%20geqo%3Doff`);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('a pooler that does not take `options`'),
    ]);
  });
});
