/**
 * PostgreSQL's synchronous standby: the server says whether there is one, and confirms no click
 * whose commit still waits for it.
 */
import { execFileSync } from 'node:child_process';
import { randomUUIDv7 as newId } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase, write } from '../../server/database/database.ts';
import {
  type Postgres,
  query,
  STANDBY,
  setSynchronous,
  startPostgres,
} from '../helpers/cluster/postgres.ts';
import { findProgram } from '../helpers/run/find-programs.ts';
import { postgresEnv } from '../helpers/server/databases.ts';
import { freePort } from '../helpers/server/local-server.ts';
import { runSite } from '../helpers/server/run-site.ts';
import { ADMIN_PASSWORD, readReasons, scrape } from '../helpers/server/scrape.ts';
import { makeBody, makeDataDir, startApp } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

const ADD_PROBE = 'INSERT INTO probes (server, at) VALUES ($1, $2)';

let primary: Postgres;
let standby: Postgres;
beforeAll(async () => {
  primary = await startPostgres();
  standby = await startPostgres({ primary });
});
afterAll(async () => {
  await standby.remove();
  await primary.remove();
});

/** Starts an app that looks for the standby every 100 ms. */
async function startWatching(databaseUrl: string) {
  const site = await startApp({
    env: { ...postgresEnv(databaseUrl), ADMIN_PASSWORD },
    rests: { standby: { everyMs: 100 } },
  });
  return {
    ...site,
    reasons: () => readReasons(site),
    logs: () => site.logged().map(({ msg }) => msg),
    click: async () => (await site.postClick(makeBody())).statusCode,
    state: async () => {
      const series = await scrape(site);
      return ['yes', 'no', 'unknown'].filter((state) => series[`site_standby{state="${state}"}`]);
    },
  };
}

test('a standby that was never there is no reason; one that is configured away, or that dies, while the server runs is one', async () => {
  const gone = 'PostgreSQL has no synchronous standby: its clicks are lost with its disk.';
  const site = await startWatching(await primary.createDatabase());
  await expect.poll(site.state).toEqual(['no']);
  await expect.poll(site.reasons).toEqual([]);
  expect(site.logs()).toContain(gone);
  await setSynchronous(primary, STANDBY);
  await expect.poll(site.state).toEqual(['yes']);
  expect(await site.click()).toBe(200);
  await expect.poll(site.reasons).toEqual([]);
  expect(site.logs()).toContain(
    'PostgreSQL has a synchronous standby: clicks outlive its machine.',
  );

  await setSynchronous(primary, '');
  await expect.poll(site.reasons).toEqual([gone]);
  expect(await site.click()).toBe(200);
  expect(await site.state()).toEqual(['no']);

  await setSynchronous(primary, STANDBY);
  await expect.poll(site.reasons).toEqual([]);
  await standby.kill();
  await expect
    .poll(site.reasons)
    .toContain(`PostgreSQL waits for the standby ${STANDBY}, which is not there.`);
  await setSynchronous(primary, '');
});

test('a user who may not see the standbys makes the state unknown, until a GRANT', async () => {
  const admin = primary.url('postgres');
  await query(admin, 'CREATE ROLE plain LOGIN');
  await query(admin, 'CREATE DATABASE of_plain OWNER plain');
  const newStandby = await startPostgres({ primary });
  try {
    await setSynchronous(primary, STANDBY);
    const site = await startWatching(primary.url('of_plain').replace('site@', 'plain@'));
    const grant = expect.stringContaining('GRANT pg_monitor TO plain');
    await expect.poll(site.reasons).toEqual([grant]);
    expect(await site.click()).toBe(200);
    expect(await site.state()).toEqual(['unknown']);
    await query(admin, 'GRANT pg_monitor TO plain');
    await expect.poll(site.state).toEqual(['yes']);
    await setSynchronous(primary, '');
  } finally {
    await newStandby.remove();
  }
});

describe('with TLS', () => {
  /**
   * Turns TLS on in PostgreSQL, with a self-signed certificate for 127.0.0.1.
   *
   * @returns the file of the certificate
   */
  async function turnTlsOn(): Promise<string> {
    const folder = makeDataDir();
    const [key, certificate] = [join(folder, 'key'), join(folder, 'ca.crt')];
    const subject = ['-subj', '/CN=db', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const args = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    execFileSync(
      findProgram('openssl') ?? '',
      ['req', ...args, ...subject, '-keyout', key, '-out', certificate],
      {
        stdio: 'ignore',
      },
    );
    chmodSync(key, 0o600);
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres', folder]);
    const admin = primary.url('postgres');
    for (const setting of [
      `ssl_key_file = '${key}'`,
      `ssl_cert_file = '${certificate}'`,
      'ssl = on',
    ])
      await query(admin, `ALTER SYSTEM SET ${setting}`);
    await query(admin, 'SELECT pg_reload_conf()');
    await expect.poll(() => query(admin, 'SHOW ssl')).toEqual([{ ssl: 'on' }]);
    return certificate;
  }

  test('the server checks what the end of the URL says, and names what is missing', async () => {
    const certificate = await turnTlsOn();
    const url = await primary.createDatabase();
    const ENDS = [
      `sslmode=verify-full&sslrootcert=${certificate}`,
      'sslmode=no-verify',
      'uselibpqcompat=true&sslmode=require',
    ];
    for (const end of ENDS) {
      const site = await startApp({ env: postgresEnv(`${url}?${end}`) });
      expect((await site.postClick(makeBody())).statusCode, end).toBe(200);
      const encrypted = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
      expect(await site.rows(encrypted), end).toEqual([{ ssl: true }]);
    }
    const env = { ...postgresEnv(`${url}?sslmode=verify-full`), ADMIN_PASSWORD };
    const strange = await startApp({ env });

    await expect
      .poll(() => readReasons(strange))
      .toEqual([expect.stringContaining('(DEPTH_ZERO_SELF_SIGNED_CERT)')]);
    const DATABASE_URL = url.replace('127.0.0.1', 'localhost');
    const other = `${DATABASE_URL}?${ENDS[0]}`;
    const { err } = await runSite(
      ['check', '--build', makeDist({ posthogKey: null, ipLookupOrigin: null })],
      { ...postgresEnv(other), DATA_DIR: makeDataDir() },
    );
    expect(err).toContain('(ERR_TLS_CERT_ALTNAME_INVALID)');
  });
});

describe('a commit that waits for a standby that is not there', () => {
  /** Makes commits wait for a standby that does not exist. */
  async function loseStandby(): Promise<void> {
    await setSynchronous(primary, 'missing_standby');
    const admin = primary.url('postgres');
    const names = 'SHOW synchronous_standby_names';
    const waits = [{ synchronous_standby_names: 'missing_standby' }];
    await expect.poll(() => query(admin, names)).toEqual(waits);
  }
  // After a failed test, commits of the next test must not wait.
  afterEach(() => setSynchronous(primary, ''));
  const WAITING = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

  test.each(['pg_terminate_backend', 'pg_cancel_backend'])(
    'and whose wait an operator ends by %s, is no success, on no server; its repetition is a true duplicate',
    async (end) => {
      const env = postgresEnv(await primary.createDatabase());
      const [site, other] = [await startApp({ env }), await startApp({ env })];
      const click = (id: string, { postClick } = site) => postClick(makeBody({ id }));
      const statusOf = async (id: string) => (await click(id)).json().status;
      const [first, second] = [newId(), newId()];
      expect(await statusOf(first)).toBe('logged');
      await loseStandby();
      const admin = primary.url('postgres');
      const ending = setInterval(
        () => query(admin, `SELECT ${end}(pid) FROM (${WAITING}) AS waiting`).catch(() => {}),
        50,
      );
      onTestFinished(() => clearInterval(ending));
      expect((await click(second)).statusCode).toBe(503);
      // The row is on the primary only, so that it would be lost with the primary's disk.
      expect(await other.rows(`SELECT id FROM clicks WHERE id = '${second}'`)).toHaveLength(1);
      expect((await click(second, other)).statusCode).toBe(503);
      clearInterval(ending);
      await setSynchronous(primary, '');
      await expect.poll(() => statusOf(second)).toBe('duplicate');
      expect(site.lines()).toMatchObject([{ id: first }, { id: second, duplicate: true }]);
    },
  );

  test('leaves no process behind when its server gives up, and the reason names the primary', async () => {
    const urls = [
      await primary.createDatabase(),
      `postgres://site@127.0.0.1:${await freePort()}/x`,
    ];
    const db = await openDatabase(urls, '');
    onTestFinished(() => db.close());
    const add = (server: string) => write(db, ADD_PROBE, [server, 1]);
    await add('before');
    await loseStandby();
    for (const server of ['one', 'two', 'three'])
      await expect(add(server)).rejects.toThrow(
        new RegExp(
          `^PostgreSQL \\(127\\.0\\.0\\.1:${primary.port}/\\w+\\): a commit is not confirmed in time`,
        ),
      );
    await expect.poll(() => query(primary.url('postgres'), WAITING)).toEqual([]);
    await setSynchronous(primary, '');
    await add('after');
  });
});
