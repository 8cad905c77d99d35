/** The list of transactions, server/works.ts, on both databases. */
import { describe, expect, test } from 'vitest';
import type { Session } from '../../../server/database/database.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { startApp } from '../../helpers/server/server-app.ts';

const ADD = "INSERT INTO probes (server, at) VALUES ('test', 1)";

describe.each(DATABASES)('on $name', ({ makeEnv }) => {
  test('a work that is not on the list is rejected before it runs', async () => {
    const site = await startApp({ env: await makeEnv() });
    const addRow = async ({ run }: Session) => void (await run(ADD));
    await expect(site.data.db.transaction(addRow)).rejects.toThrow(
      'server/works.ts has no work addRow. Add it there.',
    );
    expect(await site.rows("SELECT * FROM probes WHERE server = 'test'")).toEqual([]);
  });

  test('a work with the name of another one is rejected before it runs', async () => {
    const site = await startApp({ env: await makeEnv() });
    const settle = async ({ run }: Session) => void (await run(ADD));
    await expect(site.data.db.transaction(settle)).rejects.toThrow(/has no work settle/);
    expect(await site.rows("SELECT * FROM probes WHERE server = 'test'")).toEqual([]);
  });
});
