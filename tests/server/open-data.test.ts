/** Faults that end the start of the server, because it would not keep clicks or would count them wrongly. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

describe.each(DATABASES)('on $name', ({ name, makeEnv }) => {
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

  test.runIf(name === 'PostgreSQL')(
    'a database that is missing ends the start with advice',
    async () => {
      const env = await makeEnv();
      const url = new URL('/nowhere', env.DATABASE_URL);
      await expect(startApp({ env: { ...env, DATABASE_URL: url.href } })).rejects.toThrow(
        `PostgreSQL (${url.host}/nowhere): database "nowhere" does not exist. Check DATABASE_URL`,
      );
    },
  );
});
