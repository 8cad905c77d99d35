import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

const SECRETS = [1, 2].map((n) => Buffer.alloc(32, n).toString('base64'));
const CANARY = {
  firstName: 'Canaryfirst',
  lastName: 'Canarylast',
  email: 'canary@example.org',
  smaType: 'Canarytype',
};

const startWith = (keys: string, dataDir = makeDataDir()) =>
  startApp({ dataDir, env: { REGISTRATION_KEYS: keys } });

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

  test('is encrypted differently every time, with a length that reveals nothing', async () => {
    const site = await startApp();
    for (const n of [1, 10])
      await postPerson(site, { firstName: 'Ana'.repeat(n), email: `${n}@example.org` });
    const [a, b] = (await readRegistrations(site.config)).map(({ row }) => row.encrypted);
    expect(a?.slice(0, 16)).not.toBe(b?.slice(0, 16));
    expect(a?.length).toBe(b?.length);
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

  test('has another hash of the same address under another key', async () => {
    const email = 'ana@example.org';
    const hashesWith = async (keys: string | null) => {
      const site = await (keys === null ? startApp() : startWith(keys));
      await register(site, email, 'ben@example.org');
      return (await readRegistrations(site.config)).map(({ row }) => row.email_hash);
    };
    const [one, same, two, own, otherOwn] = await Promise.all(
      [`k:${SECRETS[0]}`, `k:${SECRETS[0]}`, `k:${SECRETS[1]}`, null, null].map(hashesWith),
    );
    // The same key finds the address, so the hash is not just random.
    expect(same).toEqual(one);
    const all = [one, two, own, otherOwn].flat();
    expect(new Set(all).size).toBe(8);
    const keyless = [
      createHash('sha256').update(email).digest('hex'),
      ...['', 'k', 'registrations/lookup/1', Buffer.alloc(32)].map((key) =>
        createHmac('sha256', key).update(email).digest('hex'),
      ),
    ];
    for (const hash of all) expect(keyless).not.toContain(hash);
  });
});

describe('the keys', () => {
  test('are made once, in a file that other users cannot read, and not again when they are missing', async () => {
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

  test('may be given, older ones after the current one, and must include those in use', async () => {
    const first = await startWith(`a:${SECRETS[0]}`);
    const { dataDir } = first.config;
    await register(first, 'ana@example.org');
    await first.close();
    const file = join(makeDataDir(), 'keys');
    writeFileSync(file, `b:${SECRETS[1]}\na:${SECRETS[0]}\n`);
    const second = await startApp({ dataDir, env: { REGISTRATION_KEYS_FILE: file } });
    await register(second, 'bo@example.org');
    const rows = await readRegistrations(second.config);
    expect(rows.map(({ row, person }) => [row.key_id, person.email])).toEqual([
      ['a', 'ana@example.org'],
      ['b', 'bo@example.org'],
    ]);
    expect(readdirSync(dataDir)).not.toContain('registrations.keys');
    await second.close();
    await expect(startWith(`b:${SECRETS[1]}`, dataDir)).rejects.toThrow(
      'encrypted with the key "a", which is not among those given',
    );
  });

  test.each(['x', `a:${SECRETS[0]},a:${SECRETS[1]}`, 'a:c2hvcnQ=', `a b:${SECRETS[0]}`])(
    'may not be %j, and the message does not quote them',
    async (keys) => {
      const file = join(makeDataDir(), 'keys');
      writeFileSync(file, keys);
      for (const env of [{ REGISTRATION_KEYS: keys }, { REGISTRATION_KEYS_FILE: file }]) {
        const message = await startApp({ env }).then(String, (error: Error) => error.message);
        expect(message).toMatch(/REGISTRATION_KEYS must be a list of id:secret/);
        for (const secret of SECRETS) expect(message).not.toContain(secret);
      }
    },
  );
});
