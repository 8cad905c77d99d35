import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../server/settings.ts';
import { startSmtpServer } from '../../helpers/fakes/smtp-server.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { formulasIn } from '../../helpers/server/read-as-spreadsheet.ts';
import { postPerson, readPeople, readRegistrations } from '../../helpers/server/registrations.ts';
import { runSite } from '../../helpers/server/run-site.ts';
import { makeDataDir, type Site, startApp } from '../../helpers/server/server-app.ts';

const ANA = { firstName: 'Ana', lastName: 'Silva', email: 'ana@example.org', smaType: 'Type 2' };
const BO = {
  firstName: '=cmd|"x"!A1',
  lastName: 'Öst, Bo;=6*7;',
  email: '-bo@x.example',
  smaType: '',
};

type Env = Record<string, string>;

/** @param language of the form's page */
async function register(site: Site, person: object, language = 'en'): Promise<void> {
  const answer = await postPerson(site, { ...person }, {}, `/api/register?language=${language}`);
  expect(answer.statusCode).toBe(201);
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
const withOwnFolder = (env: Env) => ({ ...env, DATA_DIR: makeDataDir() });
const secret = (n: number) => Buffer.alloc(32, n).toString('base64');

describe.each(DATABASES)('with $name', ({ name, makeEnv }) => {
  const makeSettings = async () => withOwnFolder(await makeEnv());

  test('list masks names and addresses, and shows the state of each mail', async () => {
    const env = await makeSettings();
    const smtp = await startSmtpServer({ recipient: (n) => (n === 0 ? 250 : 550) });
    const sending = await startApp({ env: { ...env, SMTP_URL: smtp.url } });
    await register(sending, ANA);
    await register(sending, BO);
    const outbox = () => sending.rows('SELECT refused FROM mail_outbox');
    await expect.poll(outbox).toEqual([{ refused: '550' }]);
    await sending.close();
    const third = { ...ANA, firstName: '\u202eCy', email: 'cy@example.org' };
    await register(await startApp({ env }), third);
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
    const csv = join(folder, 'people.csv');
    const { out } = await run(env, 'export', '--to', csv);
    expect(out).toContain(`Registrations in ${csv}: 2.`);
    expect(statSync(csv).mode & 0o777).toBe(0o600);
    const text = readFileSync(csv, 'utf8');
    expect(text.replaceAll(/^"[\da-f-]{36}","20[\d:.T-]+Z",/gm, '').split('\r\n')).toEqual([
      '"id","registeredAt","firstName","lastName","email","smaType","language"',
      '"Ana","Silva","ana@example.org","Type 2","en"',
      `"'=cmd|""x""!A1","Öst, Bo;'=6*7;","'-bo@x.example",,"es"`,
      '',
    ]);
    expect(formulasIn(text)).toEqual([]);
    const written = readFileSync(csv, 'utf8');
    const again = await run(env, 'export', '--to', csv);
    expect(again).toMatchObject({ code: 1, err: `${csv} exists already: name another file.\n` });
    expect(readFileSync(csv, 'utf8')).toBe(written);
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

  test('rotate-key encrypts with the first of the given keys, also while servers run; each address stays known', async () => {
    const shared = await makeSettings();
    const withKeys = (keys: string) => ({ ...shared, REGISTRATION_KEYS: keys });
    const [a, b] = [`a:${secret(1)}`, `b:${secret(2)}`];
    const [before, both, after] = [withKeys(a), withKeys(`${b},${a}`), withKeys(b)];
    await storeBoth(before);
    // SQLite cannot have several servers.
    const running = name === 'SQLite' ? null : await startApp({ env: withOwnFolder(both) });
    const refused = await run(after, 'rotate-key');
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/^Registrations are encrypted with the key "a", which is not among/),
    ]);
    expect(await keysIn(both)).toEqual(['a', 'a']);
    expect(await run(both, 'rotate-key')).toEqual({
      out: 'Registrations encrypted again: 2. All are encrypted with the key "b".\nYou need the other keys only for backups.\n',
      err: '',
      code: 0,
    });
    if (running) await register(running, ANA);
    await storeBoth(after);
    expect(await keysIn(after)).toEqual(['b', 'b']);
    expect(await namesIn(after)).toEqual(['Ana', BO.firstName]);
  });
});

describe.each(DATABASES.filter(({ name }) => name === 'PostgreSQL'))(
  'with $name',
  ({ makeEnv }) => {
    test.each([
      { order: 'the older key took first', firstKey: 'a', secondKey: 'b' },
      { order: 'the newer key took first', firstKey: 'b', secondKey: 'a' },
    ])(
      'of two registrations of one address, which $order, rotate-key keeps the first',
      async ({ firstKey, secondKey }) => {
        const shared = await makeEnv();
        const keys: Record<string, string> = { a: `a:${secret(1)}`, b: `b:${secret(2)}` };
        const startWith = (id: string) =>
          startApp({ env: withOwnFolder({ ...shared, REGISTRATION_KEYS: keys[id] ?? '' }) });
        // Neither server knows the key of the other one.
        const [first, second] = [await startWith(firstKey), await startWith(secondKey)];
        await register(first, ANA);
        await register(second, { ...ANA, firstName: 'Anna' });
        const both = withOwnFolder({ ...shared, REGISTRATION_KEYS: `${keys.b},${keys.a}` });
        expect(await namesIn(both)).toEqual(['Ana', 'Anna']);
        expect((await run(both, 'rotate-key')).code).toBe(0);
        expect([await namesIn(both), await keysIn(both)]).toEqual([['Ana'], ['b']]);
      },
    );
  },
);

test('rotate-key takes the first key of the file that the server made, after which the older one may go', async () => {
  const site = await startApp();
  const env = { DATA_DIR: site.config.dataDir };
  const keyFile = site.config.files.registrationKeys;
  await register(site, ANA);
  await site.close();
  const newest = `new:${secret(7)}`;
  writeFileSync(keyFile, `${newest}\n${readFileSync(keyFile, 'utf8')}`);
  expect((await run(env, 'rotate-key')).out).toContain('All are encrypted with the key "new".');
  writeFileSync(keyFile, newest);
  await storeBoth(env);
  expect(await namesIn(env)).toEqual(['Ana', BO.firstName]);
});

test('without a database, each command names the path, and makes nothing', async () => {
  const env = { DATA_DIR: makeDataDir() };
  const err = `There is no database at ${join(env.DATA_DIR, 'site.db')}. Start the server once, or set DATA_DIR.\n`;
  const exporting = ['export', '--to', join(env.DATA_DIR, 'x')];
  for (const args of [['list'], ['rotate-key'], ['delete', 'a@b.example'], exporting])
    expect(await run(env, ...args)).toEqual({ out: '', err, code: 1 });
  expect(readdirSync(env.DATA_DIR)).toEqual([]);
});
