/** `npm run registrations -- rotate-key` on the database of several running servers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../server/database/new-id.ts';
import { parseKeyRing } from '../../server/registrations/key-ring.ts';
import { makeRow } from '../../server/registrations/registrations.ts';
import { openPostgresRegistrations } from '../../server/registrations/store/postgres-registrations.ts';
import { readSettings } from '../../server/settings.ts';
import { type Postgres, startPostgres } from '../helpers/cluster/postgres.ts';
import { holdUpdateOf } from '../helpers/cluster/postgres-hold.ts';
import { readRegistrations } from '../helpers/server/registrations.ts';
import { makeDataDir, startApp } from '../helpers/server/server-app.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

const entry = (id: string, n: number) => `${id}:${Buffer.alloc(32, n).toString('base64')}`;
const OLD = entry('old', 1);
const NEW = entry('new', 2);
const ANA = { firstName: 'Ana', lastName: 'Silva', email: 'ana@example.org', smaType: null };
const BO = { firstName: 'Bo', lastName: 'Öst', email: 'bo@example.org', smaType: null };

interface Env extends Record<string, string> {
  DATABASE_URL: string;
  REGISTRATION_KEYS: string;
}

const startCommand = (env: Env) =>
  spawn(process.execPath, ['cli/registrations.ts', 'rotate-key'], {
    env: { ...process.env, DATA_DIR: makeDataDir(), ...env },
  });

async function rotate(env: Env) {
  const child = startCommand(env);
  const read = (stream: NodeJS.ReadableStream) =>
    Array.fromAsync(stream).then((parts) => parts.join(''));
  const [out, err, [code]] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    once(child, 'close'),
  ]);
  return { out, err, code };
}

const readAll = (env: Env) => readRegistrations(readSettings({ DATA_DIR: makeDataDir(), ...env }));
const peopleAndKeys = async (env: Env) =>
  (await readAll(env)).map(({ person, row }) => [person.firstName, row.keyId]);

type Site = Awaited<ReturnType<typeof startApp>>;
async function register({ app }: Site, { smaType, ...person }: typeof ANA): Promise<number> {
  const payload = { ...person, agreedToTerms: true };
  return (await app.inject({ method: 'POST', url: '/api/register', payload })).statusCode;
}

test('everything is encrypted with the new key, while servers with both keys continue', async () => {
  const DATABASE_URL = await postgres.createDatabase();
  const before: Env = { DATABASE_URL, REGISTRATION_KEYS: OLD };
  const both: Env = { DATABASE_URL, REGISTRATION_KEYS: `${NEW},${OLD}` };
  const after: Env = { DATABASE_URL, REGISTRATION_KEYS: NEW };
  const first = await startApp({ env: before });
  await register(first, ANA);
  await first.close();
  const servers = [await startApp({ env: both }), await startApp({ env: both })] as const;
  await register(servers[0], BO);
  expect(await peopleAndKeys(both)).toEqual([
    ['Ana', 'old'],
    ['Bo', 'new'],
  ]);

  const { out, err, code } = await rotate(both);
  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(out).toBe(
    '1 registrations were encrypted again; all are encrypted with the key "new".\nYou need the other keys only for backups.\n',
  );
  expect(await peopleAndKeys(after)).toEqual([
    ['Ana', 'new'],
    ['Bo', 'new'],
  ]);
  // Both addresses are still known to the running servers, and to one that has only the new key.
  const last = await startApp({ env: after });
  for (const server of [...servers, last]) {
    expect(await register(server, ANA)).toBe(201);
    expect(await register(server, BO)).toBe(201);
  }
  expect(await readAll(after)).toHaveLength(2);
});

test('without the old key the command fails with a reason, and nothing changes', async () => {
  const DATABASE_URL = await postgres.createDatabase();
  const before: Env = { DATABASE_URL, REGISTRATION_KEYS: OLD };
  const site = await startApp({ env: before });
  await register(site, ANA);
  const { code, err } = await rotate({ DATABASE_URL, REGISTRATION_KEYS: NEW });
  expect(code).toBe(1);
  expect(err).toBe(
    'Registrations are encrypted with the key "old", which is not among those given. Give it after the current one.\n',
  );
  expect(await peopleAndKeys(before)).toEqual([['Ana', 'old']]);
});

test('after SIGKILL nothing has changed, every server can read, and the command can be repeated', async () => {
  const DATABASE_URL = await postgres.createDatabase();
  const both: Env = { DATABASE_URL, REGISTRATION_KEYS: `${NEW},${OLD}` };
  const oldRing = parseKeyRing(OLD);
  if (!oldRing) throw new Error('a ring of one key');
  const store = openPostgresRegistrations(new URL(DATABASE_URL));
  const people = Array.from({ length: 10 }, (_, i) => ({ ...ANA, email: `${i}@example.org` }));
  const ids = people.map(() => newId()).sort();
  for (const [i, person] of people.entries())
    await store.add(makeRow(oldRing, ids[i] ?? '', new Date(), person), []);
  await store.close();

  // At this moment the command has written a part of the rows.
  const held = await holdUpdateOf(DATABASE_URL, 'registrations', ids[5] ?? '');
  const child = startCommand(both);
  const ended = once(child, 'close');
  await expect.poll(held.isWaiting).toBe(true);
  child.kill('SIGKILL');
  await ended;
  await held.release();
  const keys = async () => new Set((await peopleAndKeys(both)).map(([, keyId]) => keyId));
  expect([...(await keys())]).toEqual(['old']);

  const site = await startApp({ env: both });
  expect(await register(site, BO)).toBe(201);
  expect((await rotate(both)).out).toContain('10 registrations were encrypted again');
  expect([...(await keys())]).toEqual(['new']);
  expect(await readAll({ DATABASE_URL, REGISTRATION_KEYS: NEW })).toHaveLength(11);
});
