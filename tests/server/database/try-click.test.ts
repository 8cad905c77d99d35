/** The probe of both databases: a click that is undone. */
import { describe, expect, test } from 'vitest';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

const TABLES = ['clicks', 'click_counts', 'posthog_outbox'];

describe.each(DATABASES)('on $name', ({ makeEnv }) => {
  test('probes leave no click, no count and no event behind', async () => {
    const site = await startApp({ env: await makeEnv(), jobs: [] });
    for (let n = 0; n < 3; n += 1) await site.data.health.probe();
    expect((await site.app.inject('/readyz')).statusCode).toBe(200);
    for (const table of TABLES) expect(await site.rows(`SELECT * FROM ${table}`)).toEqual([]);
    expect(await site.rows('SELECT * FROM probes')).toHaveLength(1);
  });

  test.each(TABLES)('a server is not ready while the table %s takes no row', async (table) => {
    const site = await startApp({ env: await makeEnv(), jobs: [] });
    await execute(site.config, `ALTER TABLE ${table} RENAME TO away`);
    await site.data.health.probe();
    expect((await site.app.inject('/readyz')).statusCode).toBe(503);
    await execute(site.config, `ALTER TABLE away RENAME TO ${table}`);
    await site.data.health.probe();
    expect((await site.app.inject('/readyz')).statusCode).toBe(200);
    expect((await site.postClick(makeBody())).statusCode).toBe(200);
  });
});
