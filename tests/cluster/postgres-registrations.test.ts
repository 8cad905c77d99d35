import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPostgresRegistrations } from '../../server/registrations/store/postgres-registrations.ts';
import { type Postgres, query, startPostgres } from '../helpers/cluster/postgres.ts';
import {
  describeRegistrationStore,
  makeRow,
} from '../helpers/server/registration-store-contract.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

function open(url: string) {
  const store = openPostgresRegistrations(new URL(url));
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

describeRegistrationStore('PostgreSQL', async () => {
  const url = await postgres.createDatabase();
  return async () => open(url);
});

test('a removed registration is no longer in the table’s rows', async () => {
  const url = await postgres.createDatabase();
  const store = open(url);
  await store.add(makeRow('somebody'), []);
  await store.remove([makeRow('somebody').emailHash]);
  const [{ size } = { size: null }] = await query(
    url,
    "SELECT pg_relation_size('registrations')::int AS size",
  );
  expect(size).toBe(0);
});
