import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../server/settings.ts';
import { startSmtpServer } from '../../helpers/fakes/smtp-server.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { readPeople, readRegistrations } from '../../helpers/server/registrations.ts';
import { runSite, spawnSite } from '../../helpers/server/run-site.ts';
import { makeDataDir, startApp } from '../../helpers/server/server-app.ts';

const ANA = { firstName: 'Ana', lastName: 'Silva', email: 'ana@example.org', smaType: 'Type 2' };
const BO = { firstName: '=cmd|"x"!A1', lastName: 'Öst, Bo', email: '-bo@x.example' };

type Env = Record<string, string>;
type Site = Awaited<ReturnType<typeof startApp>>;

/** @param language of the form's page */
async function register({ app }: Site, person: object, language = 'en'): Promise<void> {
  const url = `/api/register?language=${language}`;
  const payload = { ...person, agreedToTerms: true };
  const { statusCode } = await app.inject({ method: 'POST', url, payload });
  expect(statusCode).toBe(201);
}

/** A server stores both, and stops. */
async function storeBoth(env: Env): Promise<void> {
  const site = await startApp({ env });
  await register(site, ANA);
  await register(site, BO, 'es');
  await site.close();
}

const run = (env: Env, ...args: string[]) => runSite(['registrations', ...args], env);
const namesIn = async (env: Env) =>
  (await readPeople(readSettings(env))).map(({ firstName }) => firstName);
const keysIn = async (env: Env) =>
  (await readRegistrations(readSettings(env))).map(({ row }) => row.key_id);
const secret = (n: number) => Buffer.alloc(32, n).toString('base64');

describe.each(DATABASES)('with $name', ({ makeEnv }) => {
  const makeSettings = async () => ({ ...(await makeEnv()), DATA_DIR: makeDataDir() });

  test('list masks names and addresses, and shows the state of each mail', async () => {
    const env = await makeSettings();
    const smtp = await startSmtpServer({ recipient: (n) => (n === 0 ? 250 : 550) });
    const sending = await startApp({ env: { ...env, SMTP_URL: smtp.url } });
    await register(sending, ANA);
    await register(sending, BO);
    const outbox = () => sending.rows('SELECT refused FROM mail_outbox');
    await expect.poll(outbox).toEqual([{ refused: '550' }]);
    await sending.close();
    await register(await startApp({ env }), {
      ...ANA,
      firstName: '\u202eCy',
      email: 'cy@example.org',
    });
    const { out, code } = await run(env, 'list');
    expect(code).toBe(0);
    expect(out.replaceAll(/^20\S+Z {2}/gm, '').split('\n')).toEqual([
      'A. S.  a***@e***.org  mail sent',
      '=. Ö.  -***@x***.example  mail refused (550)',
      'C. S.  c***@e***.org  mail waits (attempts: 0)',
      'Registrations: 3',
      '',
    ]);
  });

  test('export writes files that others cannot read and no spreadsheet runs, and overwrites none', async () => {
    const env = await makeSettings();
    await storeBoth(env);
    const folder = makeDataDir();
    const [csv, json] = [join(folder, 'people.csv'), join(folder, 'people.json')];
    const { out } = await run(env, 'export', '--format', 'csv', '--to', csv);
    expect(out).toContain(`Registrations in ${csv}: 2.`);
    expect(statSync(csv).mode & 0o777).toBe(0o600);
    const table = readFileSync(csv, 'utf8').replaceAll(/^[\da-f-]{36},20[\d:.T-]+Z,/gm, '');
    expect(table.split('\r\n')).toEqual([
      'id,registeredAt,firstName,lastName,email,smaType,language',
      'Ana,Silva,ana@example.org,Type 2,en',
      `"'=cmd|""x""!A1","Öst, Bo",'-bo@x.example,,es`,
      '',
    ]);
    await run(env, 'export', '--format', 'json', '--to', json);
    const written = readFileSync(json, 'utf8');
    expect(JSON.parse(written)).toMatchObject([ANA, { ...BO, smaType: null, language: 'es' }]);
    const again = await run(env, 'export', '--format', 'csv', '--to', json);
    expect(again).toMatchObject({ code: 1, err: `${json} exists already: name another file.\n` });
    expect(readFileSync(json, 'utf8')).toBe(written);
  });

  test('delete takes any spelling, removes the mail too, and works while the server runs', async () => {
    const env = await makeSettings();
    const site = await startApp({ env });
    await register(site, ANA);
    await register(site, BO);
    expect((await run(env, 'delete', ' ANA@Example.org')).code).toBe(0);
    expect(await namesIn(env)).toEqual([BO.firstName]);
    expect(await site.rows('SELECT id FROM mail_outbox')).toHaveLength(1);
    const again = await run(env, 'delete', ANA.email);
    expect(again).toMatchObject({ code: 1, err: 'There is no registration with this address.\n' });
    await register(site, ANA);
    expect(await namesIn(env)).toEqual([BO.firstName, 'Ana']);
  });

  test('rotate-key encrypts with the first of the given keys, and each address stays known', async () => {
    const settings = await makeSettings();
    await storeBoth({ ...settings, REGISTRATION_KEYS: `a:${secret(1)}` });
    const newKey = { ...settings, REGISTRATION_KEYS: `b:${secret(2)}` };
    const without = await run(newKey, 'rotate-key');
    expect(without.err).toMatch(
      /^Registrations are encrypted with the key "a", which is not among/,
    );
    const both = { ...settings, REGISTRATION_KEYS: `b:${secret(2)},a:${secret(1)}` };
    const { out } = await run(both, 'rotate-key');
    expect(out).toContain('All are encrypted with the key "b".\nYou need the other keys only for');
    await storeBoth(newKey);
    expect(await namesIn(newKey)).toEqual(['Ana', BO.firstName]);
  });
});

describe('rotate-key, where the server made its key itself,', () => {
  test('refuses while the server runs, and then replaces the key', async () => {
    const site = await startApp();
    const env = { DATA_DIR: site.config.dataDir };
    const keyFile = site.config.files.registrationKeys;
    const oldKeys = readFileSync(keyFile, 'utf8');
    await register(site, ANA);
    const early = await run(env, 'rotate-key');
    expect(early.code).toBe(1);
    expect(early.err).toMatch(/^Another server has locked .*\. Stop it first/);
    expect(readFileSync(keyFile, 'utf8')).toBe(oldKeys);
    await site.close();
    const { out } = await run(env, 'rotate-key');
    const [key] = await keysIn(env);
    expect(out).toBe(
      `Registrations encrypted again: 1. All are encrypted with the key "${key}".\n`,
    );
    expect(readFileSync(keyFile, 'utf8')).toMatch(new RegExp(`^${key}:\\S+\n$`));
    expect(oldKeys).not.toContain(key);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    await storeBoth(env);
    expect(await namesIn(env)).toEqual(['Ana', BO.firstName]);
  });

  test('killed at any moment, leaves each registration readable, and can run again', async () => {
    const site = await startApp({ env: { RATE_LIMIT: '0' } });
    const { dataDir, files } = site.config;
    const env = { DATA_DIR: dataDir };
    const people = Array.from({ length: 550 }, (_, i) => ({ ...ANA, email: `${i}@example.org` }));
    await Promise.all(people.map((person) => register(site, person)));
    await site.close();
    const ids = (await readRegistrations(readSettings(env))).map(({ row }) => row.id);
    using db = new DatabaseSync(files.database);
    db.exec(
      'CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT count(*) FROM n',
    );
    /** @returns the number of the file's keys, and of rows with the newest */
    const progress = () => {
      const keys = readFileSync(files.registrationKeys, 'utf8').trim().split('\n');
      const [key = ''] = keys[0]?.split(':') ?? [];
      const rows = db.prepare('SELECT id FROM registrations WHERE key_id = ?').all(key);
      return { keys: keys.length, rows: rows.length };
    };
    // The command never leaves this row, so the kill comes in the middle of a transaction: the first, and the second.
    for (const [place, reached] of [
      [0, { keys: 2, rows: 0 }],
      [250, { keys: 3, rows: 200 }],
    ] as const) {
      db.exec(`CREATE TRIGGER hold BEFORE UPDATE ON registrations
        WHEN OLD.id = '${ids[place]}' BEGIN SELECT * FROM endless; END`);
      const child = spawnSite(['registrations', 'rotate-key'], env);
      const ended = once(child, 'close');
      await expect.poll(progress).toEqual(reached);
      child.kill('SIGKILL');
      await ended;
      db.exec('DROP TRIGGER hold');
      expect(await namesIn(env)).toHaveLength(550);
    }
    expect((await run(env, 'rotate-key')).code).toBe(0);
    expect(progress()).toEqual({ keys: 1, rows: 550 });
    expect(await namesIn(env)).toHaveLength(550);
  });
});

test('without a database, each command names the path, and makes nothing', async () => {
  const env = { DATA_DIR: makeDataDir() };
  const path = join(env.DATA_DIR, 'site.db');
  const exporting = ['export', '--format', 'csv', '--to', join(env.DATA_DIR, 'x')];
  for (const args of [['list'], ['rotate-key'], ['delete', 'a@b.example'], exporting]) {
    const { code, err } = await run(env, ...args);
    expect(code).toBe(1);
    expect(err).toBe(`There is no database at ${path}. Start the server once, or set DATA_DIR.\n`);
  }
  expect(readdirSync(env.DATA_DIR)).toEqual([]);
});
