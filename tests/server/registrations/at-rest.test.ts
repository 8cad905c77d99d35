import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { readPeople, readRegistrations } from '../../helpers/server/registrations.ts';
import { makeDataDir, startApp } from '../../helpers/server/server-app.ts';

const SECRETS = [1, 2, 3].map((n) => Buffer.alloc(32, n).toString('base64'));
const PERSON = {
  firstName: 'Canaryfirst',
  lastName: 'Canarylast',
  email: 'canary@example.org',
  smaType: 'Canarytype',
  agreedToTerms: true,
};

type Site = Awaited<ReturnType<typeof startApp>>;
const register = async (site: Site, parts: Partial<typeof PERSON> = {}) => {
  const payload = { ...PERSON, ...parts };
  const answer = await site.app.inject({ method: 'POST', url: '/api/register', payload });
  expect(answer.statusCode).toBe(201);
};

/** Reads every file of a data folder, by name. */
function filesOf(dataDir: string): Record<string, Buffer> {
  const names = readdirSync(dataDir, { recursive: true }).map(String);
  const files = names.filter((name) => statSync(join(dataDir, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(dataDir, name))]));
}

describe('the data of a registration', () => {
  test('is encrypted in every file, except the address in a mail that waits for SMTP_URL', async () => {
    const site = await startApp({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
    await register(site);
    const files = filesOf(site.config.dataDir);
    expect(Object.keys(files)).toContain('registrations.sqlite-wal');
    const telling = Object.entries(files).filter(([, bytes]) => /canary/i.test(bytes.toString()));
    expect(telling.map(([name]) => name)).toEqual([]);
    expect(await readPeople(site.config)).toMatchObject([{ firstName: 'Canaryfirst' }]);
  });

  test('is encrypted differently every time, with a length that reveals nothing', async () => {
    const site = await startApp();
    await register(site, { email: 'a@example.org' });
    await register(site, { email: 'b@example.org', firstName: 'Longer'.repeat(10) });
    const [a, b] = (await readRegistrations(site.config)).map(({ row }) => row.encrypted);
    expect(a?.subarray(0, 12)).not.toEqual(b?.subarray(0, 12));
    expect(a?.length).toBe(b?.length);
  });

  test.each([
    ['its row', "UPDATE registrations SET id = '019c1234-5678-7abc-8def-0123456789ab'"],
    ['its bytes', 'UPDATE registrations SET sealed = zeroblob(length(sealed))'],
  ])('cannot be decrypted if %s was changed', async (_what, change) => {
    const site = await startApp();
    await register(site);
    await site.close();
    const db = new DatabaseSync(site.config.files.registrations, {
      enableForeignKeyConstraints: false,
    });
    db.exec(change);
    db.close();
    await expect(readPeople(site.config)).rejects.toThrow(/cannot be opened with the key/);
  });
});

describe('the keys', () => {
  test('are made once, in a file that other users cannot read', async () => {
    const site = await startApp();
    const { registrationKeys } = site.config.files;
    expect(statSync(registrationKeys).mode & 0o777).toBe(0o600);
    const before = readFileSync(registrationKeys, 'utf8');
    await register(site);
    await site.close();
    const again = await startApp({ dataDir: site.config.dataDir });
    expect(readFileSync(registrationKeys, 'utf8')).toBe(before);
    expect(await readPeople(again.config)).toHaveLength(1);
  });

  test('are not replaced by new ones when they are missing', async () => {
    const site = await startApp();
    await register(site);
    await site.close();
    rmSync(site.config.files.registrationKeys);
    await expect(startApp({ dataDir: site.config.dataDir })).rejects.toThrow(
      /There are registrations, but not the keys that decrypt them: restore .*registrations\.keys/,
    );
  });

  test('may be given, older ones after the current one; each of them finds an address', async () => {
    const dataDir = makeDataDir();
    const first = await startApp({ dataDir, env: { REGISTRATION_KEYS: `a:${SECRETS[0]}` } });
    await register(first);
    await first.close();
    const keysFile = join(makeDataDir(), 'keys');
    writeFileSync(keysFile, `b:${SECRETS[1]}\na:${SECRETS[0]}\n`);
    const second = await startApp({ dataDir, env: { REGISTRATION_KEYS_FILE: keysFile } });
    await register(second);
    await register(second, { email: 'other@example.org' });
    const rows = await readRegistrations(second.config);
    expect(rows.map(({ row, person }) => [row.keyId, person.email])).toEqual([
      ['a', 'canary@example.org'],
      ['b', 'other@example.org'],
    ]);
    expect(readdirSync(dataDir)).not.toContain('registrations.keys');
  });

  test('must include those that registrations are encrypted with', async () => {
    const dataDir = makeDataDir();
    const first = await startApp({ dataDir, env: { REGISTRATION_KEYS: `a:${SECRETS[0]}` } });
    await register(first);
    await first.close();
    await expect(
      startApp({ dataDir, env: { REGISTRATION_KEYS: `b:${SECRETS[1]}` } }),
    ).rejects.toThrow('encrypted with the key "a", which is not among those given');
  });

  test.each(['x', `a:${SECRETS[0]},a:${SECRETS[1]}`, 'a:c2hvcnQ=', `a b:${SECRETS[0]}`])(
    'may not be %j, and the message does not quote them',
    async (keys) => {
      const start = startApp({ env: { REGISTRATION_KEYS: keys } });
      const message = await start.then(String, (error: Error) => error.message);
      expect(message).toMatch(/REGISTRATION_KEYS must be a list of id:secret/);
      for (const secret of SECRETS) expect(message).not.toContain(secret);
      const file = join(makeDataDir(), 'keys');
      writeFileSync(file, keys);
      await expect(startApp({ env: { REGISTRATION_KEYS_FILE: file } })).rejects.toThrow(
        'REGISTRATION_KEYS must be a list of id:secret',
      );
    },
  );
});

test('deletes registrations after registrationRetentionDays, and keeps the others', async () => {
  const site = await startApp();
  for (const name of ['old', 'young']) await register(site, { email: `${name}@example.org` });
  await expect.poll(() => readdirSync(site.config.dataDir)).toContain('mail');
  await expect.poll(() => readdirSync(site.config.files.mail)).toHaveLength(2);
  await site.close();
  const [old, young] = (await readRegistrations(site.config)).map(({ row }) => row.id);
  const db = new DatabaseSync(site.config.files.registrations);
  const then = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000).toISOString();
  db.prepare('UPDATE registrations SET created_at = ? WHERE id = ?').run(then, old ?? '');
  db.close();

  const { dataDir } = site.config;
  const again = await startApp({ dataDir, site: { registrationRetentionDays: 30 } });
  await expect.poll(() => readPeople(again.config)).toMatchObject([{ email: 'young@example.org' }]);
  await expect.poll(() => readdirSync(site.config.files.mail)).toEqual([`${young}.eml`]);
  expect(again.logged().map(({ msg }) => msg)).toEqual([
    'Removed 1 registrations older than 30 days',
  ]);
});
