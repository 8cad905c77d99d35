/** Faults that end the start of the server, because it would not keep clicks or would count them wrongly. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DATABASES, execute } from '../helpers/server/databases.ts';
import { makeBody, makeDataDir, startApp } from '../helpers/server/server-app.ts';

test.each([
  ['clicks.jsonl-20260131.gz', 'clicks of the version before. Import them'],
  ['registrations.sqlite', 'registrations of the version before, which this version does not read'],
])('%s of the version before ends each start', async (file, said) => {
  const dataDir = makeDataDir();
  writeFileSync(join(dataDir, file), '{"id":"x"}\n');
  for (let start = 1; start <= 2; start += 1)
    await expect(startApp({ dataDir })).rejects.toThrow(said);
});

test('a former file without a click does not end the start', async () => {
  const dataDir = makeDataDir();
  writeFileSync(join(dataDir, 'clicks.jsonl'), '');
  expect((await (await startApp({ dataDir })).postClick(makeBody())).statusCode).toBe(200);
});

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
