import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Postgres, query, startPostgres } from '../helpers/cluster/postgres.ts';
import { openIndex } from '../helpers/cluster/postgres-index.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

describe('the error message for operators', () => {
  test.each([
    ['no such database', (url: URL) => (url.pathname = '/nowhere'), 'there is no such database'],
    [
      'no such user',
      (url: URL) => (url.username = 'nobody'),
      'it rejects this user. Check DATABASE_URL',
    ],
  ])('%s', async (_name, change, message) => {
    const url = new URL(await postgres.createDatabase());
    change(url);
    const cause = await openIndex(url.href)
      .position()
      .catch((error) => error);
    expect(cause.message).toContain(`PostgreSQL (127.0.0.1:${postgres.port}/`);
    expect(cause.message).toContain(message);
  });

  test('rejects a newer version’s database, and leaves it unchanged', async () => {
    const url = await postgres.createDatabase();
    await openIndex(url).position();
    await query(url, 'UPDATE schema_version SET version = 99');
    await expect(openIndex(url).position()).rejects.toThrow(
      /written by a newer version \(schema 99/,
    );
  });

  test('never contains a password', async () => {
    const cause = await openIndex('postgres://site:hunter2@127.0.0.1:1/site')
      .position()
      .catch((error) => error);
    expect(cause.message).toContain('127.0.0.1:1/site');
    expect(JSON.stringify(pino.stdSerializers.err(cause))).not.toContain('hunter2');
  });
});
