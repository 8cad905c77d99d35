/** `site registrations rotate-key` on the database of several running servers. */
import { expect, test } from 'vitest';
import { readSettings } from '../../../server/settings.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { readRegistrations, register } from '../../helpers/server/registrations.ts';
import { runSite } from '../../helpers/server/run-site.ts';
import { makeDataDir, startApp } from '../../helpers/server/server-app.ts';

const key = (id: string, n: number) => `${id}:${Buffer.alloc(32, n).toString('base64')}`;
const [OLD, NEW] = [key('old', 1), key('new', 2)];
const [ANA, BO] = ['ana@example.org', 'bo@example.org'];

/** SQLite cannot have several servers. */
const POSTGRES = DATABASES.find(({ name }) => name === 'PostgreSQL');

test.runIf(POSTGRES)(
  'everything is encrypted with the new key while servers run, and the older registration of an address stays',
  async () => {
    const shared = await (POSTGRES?.makeEnv() ?? {});
    const withKeys = (keys: string) => ({ ...shared, REGISTRATION_KEYS: keys });
    const [before, both, after] = [withKeys(OLD), withKeys(`${NEW},${OLD}`), withKeys(NEW)];
    const rotate = (env: typeof shared) =>
      runSite(['registrations', 'rotate-key'], { ...env, DATA_DIR: makeDataDir() });
    const readAll = (env: typeof shared) =>
      readRegistrations(readSettings({ ...env, DATA_DIR: makeDataDir() }));

    // Servers with different keys do not find each other’s addresses.
    const [first, second] = [await startApp({ env: before }), await startApp({ env: after })];
    await register(first, ANA);
    await register(second, BO, ANA);
    await register(first, BO);
    const third = await startApp({ env: both });
    const rows = await readAll(both);
    expect(rows.map(({ row }) => row.key_id)).toEqual(['old', 'new', 'new', 'old']);
    const refused = await rotate(after);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('with the key "old"')]);
    expect(await readAll(both)).toEqual(rows);
    expect(await rotate(both)).toEqual({
      out: 'Registrations encrypted again: 2. All are encrypted with the key "new".\nYou need the other keys only for backups.\n',
      err: '',
      code: 0,
    });
    for (const server of [second, third]) await register(server, ANA, BO);
    expect(await readAll(after)).toMatchObject([
      { row: { id: rows[0]?.row.id }, person: { email: ANA } },
      { row: { id: rows[1]?.row.id }, person: { email: BO } },
    ]);
  },
);
