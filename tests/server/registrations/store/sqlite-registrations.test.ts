import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqliteRegistrations } from '../../../../server/registrations/store/sqlite-registrations.ts';
import {
  describeRegistrationStore,
  makeRow,
} from '../../../helpers/server/registration-store-contract.ts';
import { makeDataDir } from '../../../helpers/server/server-app.ts';

/** SQLite's value of `synchronous` that syncs the journal before a transaction ends. */
const FULL = 2;

async function makeStore() {
  const path = join(makeDataDir(), 'registrations.sqlite');
  return {
    path,
    connect: async () => {
      const store = openSqliteRegistrations(path);
      onTestFinished(() => store.close());
      return store;
    },
  };
}

describeRegistrationStore('SQLite', async () => (await makeStore()).connect);

test('other users cannot read its files', async () => {
  const { path, connect } = await makeStore();
  const store = await connect();
  await store.add(makeRow('a'), []);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
});

test('deleted data is in none of its files', async () => {
  const { path, connect } = await makeStore();
  const store = await connect();
  const bytes = () => Buffer.concat([path, `${path}-wal`].map((file) => readFileSync(file)));
  await store.add(makeRow('somebody'), []);
  await store.add(makeRow('somebody else'), []);
  expect(bytes().includes('encrypted somebody')).toBe(true);
  await store.remove([makeRow('somebody').emailHash]);
  await store.removeBefore(new Date('2027-01-01'));
  expect(bytes().includes('encrypted somebody')).toBe(false);
});

test('its connection waits for the disk at every commit', async () => {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const { connect } = await makeStore();
  await connect();
  // Only the connection itself can read this setting.
  const [db] = prepare.mock.contexts as DatabaseSync[];
  expect(db?.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: FULL });
});
