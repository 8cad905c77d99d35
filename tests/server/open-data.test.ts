/**
 * Faults that end the start of the server, because it would not keep clicks or would count them
 * wrongly.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { query } from '../helpers/cluster/postgres.ts';
import { DATABASES, execute } from '../helpers/server/databases.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';

test('a second server on one data folder ends its start, and the first one goes on', async () => {
  const first = await startApp();
  const { dataDir } = first.config;
  await expect(startApp({ dataDir })).rejects.toThrow(
    `Another server has locked ${join(dataDir, 'site.lock')}. Stop it first, or give this one its own DATA_DIR.`,
  );
  expect((await first.postClick(makeBody())).statusCode).toBe(200);
  await first.close();
  const next = await startApp({ dataDir });
  expect((await next.postClick(makeBody())).statusCode).toBe(200);
});

/** Makes a user of the database who may only read. */
async function makeReader(url: URL): Promise<URL> {
  const role = `reader_${randomUUID().replaceAll('-', '')}`;
  await query(url.href, `CREATE ROLE ${role} LOGIN`);
  onTestFinished(async () => void (await query(url.href, `DROP ROLE ${role}`)));
  const own = new URL(url);
  own.username = role;
  return own;
}

describe.each(DATABASES)('on $name', ({ makeEnv }) => {
  test('a database of a newer version ends the start', async () => {
    const env = await makeEnv();
    const site = await startApp({ env });
    await site.postClick(makeBody());
    await site.close();
    await execute(site.config, "INSERT INTO migrations VALUES ('999-newer.sql', 1)");
    const { dataDir } = site.config;
    await expect(startApp({ env, dataDir })).rejects.toThrow(
      /written by a newer version of this server \(999-newer\.sql\)\. Start that version\./,
    );
  });
});

describe.each(DATABASES.filter(({ name }) => name === 'PostgreSQL'))('on $name', ({ makeEnv }) => {
  test.each([
    {
      fault: 'a database that is missing',
      change: (url: URL) => new URL('/nowhere', url),
      message: 'database "nowhere" does not exist',
    },
    {
      fault: 'a user who is missing',
      change: (url: URL) => Object.assign(url, { username: 'nobody' }),
      message: 'role "nobody" does not exist',
    },
    {
      fault: 'a user without the right to make tables',
      change: makeReader,
      message: 'permission denied for database',
    },
  ])('$fault ends the start with advice', async ({ change, message }) => {
    const env = await makeEnv();
    const url = await change(new URL(env.DATABASE_URL ?? ''));
    const started = startApp({ env: { ...env, DATABASE_URL: url.href } });
    await expect(started).rejects.toThrow(`PostgreSQL (${url.host}${url.pathname}): ${message}`);
    await expect(started).rejects.toThrow("Check DATABASE_URL and the user's rights.");
  });
});
