import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { makeDataDir } from '../../helpers/server/server-app.ts';
import { insertThenThrow, insertVisits } from '../../helpers/server/visit-works.ts';

const opener = async (makeEnv: () => Promise<Record<string, string>>) => {
  const { DATABASE_URL } = await makeEnv();
  const file = `${makeDataDir()}/site.db`;
  return async () => {
    const db = await openDatabase(DATABASE_URL ? [DATABASE_URL] : [], file);
    onTestFinished(() => db.close());
    return db;
  };
};

const readIds = async (db: Database) =>
  (await db.read('SELECT id FROM visits ORDER BY id')).map(({ id }) => id);

describe.each(DATABASES)('$name', ({ name, makeEnv }) => {
  test('servers that start at once make the tables once', async () => {
    const open = await opener(makeEnv);
    const dbs = await Promise.all([open(), open(), open()]);
    await Promise.all(dbs.map((db, n) => db.transaction(insertVisits, [`${n}`])));
    expect(await readIds(dbs[0])).toEqual(['0', '1', '2']);
    const files = readdirSync(`server/database/migrations/${dbs[0].kind}`);
    expect(await dbs[0].read('SELECT file FROM migrations')).toHaveLength(files.length);
  });

  test('tells which keys are new, in any order and with repetitions', async () => {
    const db = await (await opener(makeEnv))();
    const known = new Set<string>();
    const keys = fc.array(fc.integer({ min: 0, max: 60 }).map(String), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(keys, async (list) => {
        const expected = list.flatMap((key, i) =>
          known.has(key) || list.indexOf(key) < i ? [] : [i],
        );
        expect(await db.transaction(insertVisits, list)).toEqual(expected);
        for (const key of list) known.add(key);
        expect(await readIds(db)).toEqual([...known].sort());
      }),
      { numRuns: 40 },
    );
  });

  test('undoes a transaction that fails, and the next one is not part of it', async () => {
    const db = await (await opener(makeEnv))();
    const failed = db.transaction(insertThenThrow, 'a');
    const next = db.transaction(insertVisits, ['b']);
    await expect(failed).rejects.toThrow('as the test wants');
    expect(await next).toEqual([0]);
    expect(await readIds(db)).toEqual(['b']);
  });

  test.runIf(name === 'PostgreSQL')('one server at a time holds a job', async () => {
    const open = await opener(makeEnv);
    const [one, two] = [await open(), await open()];
    expect([await one.holds('sender'), await two.holds('sender')]).toEqual([true, false]);
    expect([await one.holds('sender'), await two.holds('other')]).toEqual([true, true]);
    await one.close();
    await expect.poll(() => two.holds('sender')).toBe(true);
  });
});
