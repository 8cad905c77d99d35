import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { newId } from '../../server/database/new-id.ts';
import type { Person } from '../../server/registrations/encryption.ts';
import { openOwnKeyFile } from '../../server/registrations/key-ring.ts';
import { makeRow } from '../../server/registrations/registrations.ts';
import { openSqliteRegistrations } from '../../server/registrations/store/sqlite-registrations.ts';
import { readSettings } from '../../server/settings.ts';
import { readRegistrations } from '../helpers/server/registrations.ts';
import { makeDataDir, startApp } from '../helpers/server/server-app.ts';

const ANA = { firstName: 'Ana', lastName: 'Silva', email: 'ana@example.org', smaType: 'Type 2' };
const BO = {
  ...{ firstName: '=cmd|"x"!A1', lastName: 'Öst, Bo', email: '-bo@x.example', smaType: null },
  language: 'es' as const,
};

/** Makes a data folder with registrations, as a server writes it. */
async function makeRegistrations(people: Person[] = [ANA, BO]) {
  const dataDir = makeDataDir();
  const { files } = readSettings({ DATA_DIR: dataDir });
  const store = openSqliteRegistrations(files.registrations);
  const ring = openOwnKeyFile(files.registrationKeys, () => false);
  const ids = people.map(() => newId()).sort();
  for (const [i, person] of people.entries()) {
    await store.add(makeRow(ring, ids[i] ?? '', new Date('2026-03-01T12:00:00Z'), person), []);
  }
  await store.close();
  return { dataDir, ids, files };
}

function start(args: string[], env: Record<string, string> = {}) {
  return spawn(process.execPath, ['cli/registrations.ts', ...args], {
    env: { ...process.env, ...env },
  });
}

async function run(args: string[], env: Record<string, string> = {}) {
  const child = start(args, env);
  const read = (stream: NodeJS.ReadableStream) =>
    Array.fromAsync(stream).then((parts) => parts.join(''));
  const [out, err, code] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  return { out, err, code };
}

const peopleIn = async (dataDir: string, env: Record<string, string> = {}) =>
  (await readRegistrations(readSettings({ DATA_DIR: dataDir, ...env }))).map(
    ({ person }) => person,
  );

describe('the command', () => {
  test.each([
    [[], 'Name a command'],
    [['count'], 'There is no command "count"'],
    [['delete'], 'Name the e-mail address'],
    [['list', 'all'], 'Unexpected argument "all"'],
    [['export', '--to', 'x'], '--format must be csv or json'],
    [['export', '--format', 'csv'], '--to must name the file'],
  ])('names the fault of the arguments %j', async (args, message) => {
    const { code, err } = await run(args, { DATA_DIR: makeDataDir() });
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain('Usage:');
  });

  test('names the path at which it found no registrations, and creates nothing there', async () => {
    const dataDir = makeDataDir();
    for (const args of [['list'], ['rotate-key'], ['delete', 'a@b.example']]) {
      const { code, err } = await run(args, { DATA_DIR: dataDir });
      expect(code).toBe(1);
      expect(err).toMatch(/^There are no registrations at .*registrations\.sqlite\.\n$/);
    }
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

test('list masks names and addresses, and shows the state of each mail', async () => {
  const { dataDir } = await makeRegistrations();
  const { out, code } = await run(['list'], { DATA_DIR: dataDir });
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual([
    '2026-03-01T12:00:00.000Z  A. S.  a***@e***.org  mail waits (attempts: 0)',
    '2026-03-01T12:00:00.000Z  =. Ö.  -***@x***.example  mail waits (attempts: 0)',
    '2 registrations',
    '',
  ]);
});

describe('export', () => {
  test('writes a table that no spreadsheet executes and other users cannot read', async () => {
    const { dataDir, ids } = await makeRegistrations();
    const to = join(makeDataDir(), 'people.csv');
    const { out, code } = await run(['export', '--format', 'csv', '--to', to], {
      DATA_DIR: dataDir,
    });
    expect(code).toBe(0);
    expect(out).toContain(`2 registrations are in ${to}.`);
    expect(statSync(to).mode & 0o777).toBe(0o600);
    const at = '"2026-03-01T12:00:00.000Z"';
    expect(readFileSync(to, 'utf8').split('\r\n')).toEqual([
      'id,registeredAt,firstName,lastName,email,smaType,language',
      `"${ids[0]}",${at},"Ana","Silva","ana@example.org","Type 2","en"`,
      `"${ids[1]}",${at},"'=cmd|""x""!A1","Öst, Bo","'-bo@x.example","","es"`,
      '',
    ]);
  });

  test('writes JSON with the values as the visitor typed them', async () => {
    const { dataDir } = await makeRegistrations();
    const to = join(makeDataDir(), 'people.json');
    await run(['export', '--format', 'json', '--to', to], { DATA_DIR: dataDir });
    expect(JSON.parse(readFileSync(to, 'utf8'))).toMatchObject([ANA, BO]);
  });

  test('does not overwrite a file', async () => {
    const { dataDir } = await makeRegistrations();
    const to = join(makeDataDir(), 'people.json');
    writeFileSync(to, 'mine');
    const { code, err } = await run(['export', '--format', 'json', '--to', to], {
      DATA_DIR: dataDir,
    });
    expect(code).toBe(1);
    expect(err).toBe(`${to} exists already: name another file.\n`);
    expect(readFileSync(to, 'utf8')).toBe('mine');
  });
});

test('delete removes one registration and its mail while the server runs, for any spelling of the address', async () => {
  const { dataDir, ids, files } = await makeRegistrations();
  const site = await startApp({ dataDir });
  const mails = () => (existsSync(files.mail) ? readdirSync(files.mail) : []);
  await expect.poll(mails).toHaveLength(2);
  const { code } = await run(['delete', ' ANA@example.org'], { DATA_DIR: dataDir });
  expect(code).toBe(0);
  expect(mails()).toEqual([`${ids[1]}.eml`]);
  expect(await peopleIn(dataDir)).toEqual([BO]);
  const again = await run(['delete', ANA.email], { DATA_DIR: dataDir });
  expect(again).toMatchObject({ code: 1, err: 'There is no registration with this address.\n' });
  const answer = await site.app.inject({
    method: 'POST',
    url: '/api/register',
    payload: { ...ANA, agreedToTerms: true },
  });
  expect(answer.statusCode).toBe(201);
  expect(await peopleIn(dataDir)).toEqual([BO, ANA]);
});

describe('rotate-key', () => {
  const rotate = (dataDir: string, env: Record<string, string> = {}) =>
    run(['rotate-key'], { DATA_DIR: dataDir, ...env });
  const keysIn = async (dataDir: string) =>
    (await readRegistrations(readSettings({ DATA_DIR: dataDir }))).map(({ row }) => row.keyId);

  test('makes a new key, encrypts every registration with it, and deletes the old key', async () => {
    const { dataDir, files } = await makeRegistrations();
    const [before] = await keysIn(dataDir);
    const { code, out } = await rotate(dataDir);
    expect(code).toBe(0);
    const [after, other] = await keysIn(dataDir);
    expect(out).toBe(
      `2 registrations were encrypted again; all are encrypted with the key "${after}".\n`,
    );
    expect(other).toBe(after);
    expect(after).not.toBe(before);
    expect(readFileSync(files.registrationKeys, 'utf8').trim().split('\n')).toHaveLength(1);
    expect(statSync(files.registrationKeys).mode & 0o777).toBe(0o600);
    expect(await peopleIn(dataDir)).toEqual([ANA, BO]);
    expect((await run(['delete', ANA.email], { DATA_DIR: dataDir })).code).toBe(0);
  });

  test('refuses while the server of the folder runs', async () => {
    const site = await startApp();
    const { code, err } = await rotate(site.config.dataDir);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^A server runs on .*\. Stop it first, and start it again after the rotation\.\n$/,
    );
  });

  test('encrypts with the first of the given keys', async () => {
    const secret = (n: number) => Buffer.alloc(32, n).toString('base64');
    const dataDir = makeDataDir();
    const old = { REGISTRATION_KEYS: `a:${secret(1)}` };
    const site = await startApp({ dataDir, env: old });
    const payload = { ...ANA, agreedToTerms: true };
    await site.app.inject({ method: 'POST', url: '/api/register', payload });
    await site.close();
    const { out } = await rotate(dataDir, { REGISTRATION_KEYS: `b:${secret(2)},a:${secret(1)}` });
    expect(out).toContain(
      '1 registrations were encrypted again; all are encrypted with the key "b".',
    );
    const fresh = { REGISTRATION_KEYS: `b:${secret(2)}` };
    expect(await peopleIn(dataDir, fresh)).toEqual([ANA]);
    const again = await startApp({ dataDir, env: fresh });
    await again.app.inject({ method: 'POST', url: '/api/register', payload });
    expect(await peopleIn(dataDir, fresh)).toEqual([ANA]);
  });

  test('killed at any moment, leaves every registration readable, and can run again', async () => {
    const people = Array.from({ length: 2000 }, (_, i) => ({ ...ANA, email: `${i}@example.org` }));
    const { dataDir, files } = await makeRegistrations(people);
    const keys = () => readFileSync(files.registrationKeys, 'utf8').trim().split('\n').length;
    /** Returns when the command has made its key and waits for a lock that the test holds. */
    const startHeld = async () => {
      const count = keys();
      const lock = new DatabaseSync(files.registrations);
      lock.exec('BEGIN IMMEDIATE');
      const child = start(['rotate-key'], { DATA_DIR: dataDir });
      const ended = new Promise((resolve) => child.on('close', resolve));
      await expect.poll(keys, { interval: 5 }).toBeGreaterThan(count);
      const release = () => lock.isOpen && lock.close();
      const kill = async () => {
        child.kill('SIGKILL');
        await ended;
        release();
      };
      return { release, kill, isRunning: () => child.exitCode === null };
    };
    const isWritten = () =>
      (statSync(`${files.registrations}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

    const before = await startHeld();
    await before.kill();
    expect(await peopleIn(dataDir)).toHaveLength(2000);
    const during = await startHeld();
    during.release();
    await during.kill();
    expect(await peopleIn(dataDir)).toHaveLength(2000);
    const after = await startHeld();
    after.release();
    await expect.poll(() => isWritten() || !after.isRunning(), { interval: 1 }).toBe(true);
    await after.kill();
    expect(await peopleIn(dataDir)).toHaveLength(2000);
    expect((await rotate(dataDir)).code).toBe(0);
    expect(new Set(await keysIn(dataDir)).size).toBe(1);
  });
});
