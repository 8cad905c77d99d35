import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { execute } from '../../helpers/server/databases.ts';
import {
  postPerson,
  readPeople,
  readRegistrations,
  register,
} from '../../helpers/server/registrations.ts';
import { makeDataDir, startApp } from '../../helpers/server/server-app.ts';

const CANARY = {
  firstName: 'Canaryfirst',
  lastName: 'Canarylast',
  email: 'canary@example.org',
  smaType: 'Canarytype',
};

describe('the data of a registration', () => {
  test('is in no file, and other users cannot read the database', async () => {
    const site = await startApp({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
    expect((await postPerson(site, CANARY)).statusCode).toBe(201);
    const { dataDir } = site.config;
    const names = readdirSync(dataDir);
    expect(names).toContain('site.db-wal');
    for (const name of names) {
      expect(readFileSync(join(dataDir, name)).toString()).not.toMatch(/canary/i);
      if (name.startsWith('site.db')) expect(statSync(join(dataDir, name)).mode & 0o7).toBe(0);
    }
    expect(await readPeople(site.config)).toMatchObject([CANARY]);
  });

  test('is encrypted differently every time, with a length that reveals nothing; each server’s hash of an address differs', async () => {
    const registered = async () => {
      const site = await startApp();
      await postPerson(site, { email: 'ana@example.org' });
      await postPerson(site, { firstName: 'Ana'.repeat(10), email: 'ben@example.org' });
      return (await readRegistrations(site.config)).map(({ row }) => row);
    };
    const rows = [await registered(), await registered()].flat();
    expect(new Set(rows.map(({ encrypted }) => encrypted?.slice(0, 16))).size).toBe(4);
    expect(new Set(rows.map(({ encrypted }) => encrypted?.length)).size).toBe(1);
    expect(new Set(rows.map(({ email_hash }) => email_hash)).size).toBe(4);
    // A hash without a key would tell whether an address is there.
    const keyless = createHash('sha256').update('ana@example.org').digest('hex');
    for (const { email_hash } of rows) expect(email_hash).not.toBe(keyless);
  });

  test.each([
    ['it is in another row', "SET id = '019c1234-5678-7abc-8def-0123456789ab'"],
    ['its bytes were changed', "SET encrypted = 'AAAA' || substr(encrypted, 5)"],
  ])('cannot be decrypted if %s', async (_what, change) => {
    const site = await startApp();
    await register(site, 'ana@example.org');
    await execute(site.config, `DELETE FROM mail_outbox; UPDATE registrations ${change}`);
    await expect(readPeople(site.config)).rejects.toThrow(/cannot be opened with the key/);
  });
});

test('the keys are made once, in a file that other users cannot read, and not again when they are missing', async () => {
  const site = await startApp();
  const { dataDir, files } = site.config;
  expect(statSync(files.registrationKeys).mode & 0o777).toBe(0o600);
  const before = readFileSync(files.registrationKeys, 'utf8');
  await register(site, 'ana@example.org');
  await site.close();
  const again = await startApp({ dataDir });
  expect(readFileSync(files.registrationKeys, 'utf8')).toBe(before);
  expect(await readPeople(again.config)).toHaveLength(1);
  await again.close();
  rmSync(files.registrationKeys);
  await expect(startApp({ dataDir })).rejects.toThrow(
    /There are registrations, but not the keys that decrypt them: restore .*registrations\.keys/,
  );
});

test('given keys make no file, must include those in use, and no message quotes them', async () => {
  const [a, b] = [1, 2].map((n) => Buffer.alloc(32, n).toString('base64'));
  const startWith = (keys: string, dataDir = makeDataDir()) =>
    startApp({ dataDir, env: { REGISTRATION_KEYS: keys } });
  const site = await startWith(`a:${a}`);
  await register(site, 'ana@example.org');
  const { dataDir } = site.config;
  expect(readdirSync(dataDir)).not.toContain('registrations.keys');
  await site.close();
  const unused = 'encrypted with the key "a", which is not among those given';
  await expect(startWith(`b:${b}`, dataDir)).rejects.toThrow(unused);
  for (const keys of ['x', `a:${a},a:${b}`, 'a:c2hvcnQ=', `a b:${a}`]) {
    const message = await startWith(keys).then(String, (error: Error) => error.message);
    expect(message).toMatch(/REGISTRATION_KEYS must be a list of id:secret/);
    for (const secret of [a, b]) expect(message).not.toContain(secret);
  }
});
