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
import { runSite } from '../../helpers/server/run-site.ts';
import { makeDataDir, type Site, startApp } from '../../helpers/server/server-app.ts';

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
    // The header, which tells rows apart, is not encrypted; the text's beginning is.
    const texts = rows.map(({ encrypted }) => encrypted.split('.')[3] ?? '');
    expect(new Set(texts.map((text) => text.slice(0, 16))).size).toBe(4);
    expect(new Set(rows.map(({ encrypted }) => encrypted?.length)).size).toBe(1);
    expect(new Set(rows.map(({ email_hash }) => email_hash)).size).toBe(4);
    // A hash without a key would tell whether an address is there.
    const keyless = createHash('sha256').update('ana@example.org').digest('hex');
    for (const { email_hash } of rows) expect(email_hash).not.toBe(keyless);
  });
});

/** The end of each sentence about a row that was changed in the database. */
const CANNOT_BE_OPENED =
  'cannot be opened with the key "KEY". Its row was changed, or the key has another secret. Restore it from a backup.';
const differs = (columns: string) =>
  `is not as it was stored: ${columns} differ. Restore it from a backup.`;
const OTHER_ID = '019c1234-5678-7abc-8def-0123456789ab';
const OTHERS = 'FROM registrations AS others WHERE others.id > registrations.id';
const EDITS = [
  { set: `id = '${OTHER_ID}'`, says: differs('id') },
  { set: 'registered_at = registered_at - 1', says: differs('registered_at') },
  { set: `email_hash = '${'0'.repeat(64)}'`, says: differs('email_hash') },
  { set: `mailbox_hash = '${'0'.repeat(64)}'`, says: differs('mailbox_hash') },
  { set: `mailbox_hash = (SELECT mailbox_hash ${OTHERS})`, says: differs('mailbox_hash') },
  { set: "key_id = 'same'", says: differs('key_id') },
  { set: "key_id = 'other'", says: CANNOT_BE_OPENED.replace('KEY', 'other') },
  {
    set: `encrypted = (SELECT encrypted ${OTHERS})`,
    says: differs('id, registered_at, email_hash, mailbox_hash'),
  },
  { set: "encrypted = 'AAAA' || substr(encrypted, 5)", says: CANNOT_BE_OPENED },
  { set: 'encrypted = substr(encrypted, 1, length(encrypted) - 2)', says: CANNOT_BE_OPENED },
  { set: "encrypted = ''", says: CANNOT_BE_OPENED },
];

const firstId = async (site: Site) => {
  const [row] = await site.rows('SELECT MIN(id) AS id FROM registrations');
  return String(row?.id);
};

test('a row that was changed, or has values of another row, is neither listed nor mailed, and a sentence says why', async () => {
  const clock = { now: Date.parse('2026-03-01T10:30:00Z') };
  const [one, two] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const env = { REGISTRATION_KEYS: `first:${one},same:${one},other:${two}` };
  const sent: string[] = [];
  const site = await startApp({
    env: { ...env, SMTP_URL: 'smtp://localhost' },
    jobs: [],
    now: () => clock.now,
    senders: { mails: { send: async (_from, { to }) => void sent.push(...to) } },
  });
  await register(site, 'ana@example.org');
  clock.now += 1000;
  await register(site, 'bo@example.org');
  const first = '(SELECT MIN(id) FROM registrations)';
  await execute(site.config, 'CREATE TABLE kept AS SELECT * FROM registrations');
  for (const { set, says } of EDITS) {
    const edit = `PRAGMA foreign_keys = OFF; UPDATE registrations SET ${set} WHERE id = ${first}`;
    const mail = `DELETE FROM mail_outbox; INSERT INTO mail_outbox (id, due_at, attempts) SELECT id, 0, 0 FROM registrations WHERE id = ${first}`;
    await execute(site.config, `${edit}; ${mail}`);
    const sentence = `Registration ${await firstId(site)} ${says.replace('KEY', 'first')}`;
    const listed = await runSite(['registrations', 'list'], {
      ...env,
      DATA_DIR: site.config.dataDir,
    });
    expect(listed, set).toEqual({ code: 1, out: '', err: `${sentence}\n` });
    await site.step('mails');
    expect(site.logged().at(-1), set).toMatchObject({ msg: 'A mail is put off', reason: sentence });
    await execute(
      site.config,
      'PRAGMA foreign_keys = OFF; DELETE FROM registrations; INSERT INTO registrations SELECT * FROM kept',
    );
  }
  expect(sent).toEqual([]);
  expect((await readPeople(site.config)).map(({ email }) => email)).toEqual([
    'ana@example.org',
    'bo@example.org',
  ]);
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
