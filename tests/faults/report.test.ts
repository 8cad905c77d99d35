import { expect, test } from 'vitest';
import { openDatabase } from '../../server/database/database.ts';
import { readSettings } from '../../server/settings.ts';
import { DAY_MS } from '../../server/time.ts';
import { parseCsv } from '../helpers/server/parse-csv.ts';
import { clickRow, storeRows, visitRow } from '../helpers/server/rows.ts';
import { ADMIN_PASSWORD, withPassword } from '../helpers/server/scrape.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { expectKept } from '../helpers/server/server-check.ts';
import { startLoad, untilAcked } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

const ROWS = 50_000;
const SLICE = 5_000;

/** Stores ROWS clicks and as many visits, spread over the last 50 days. */
async function storeDays(dataDir: string): Promise<void> {
  const db = await openDatabase([], readSettings({ DATA_DIR: dataDir }).files.database);
  const now = Date.now();
  for (let n = 0; n < ROWS; n += SLICE) {
    const times = Array.from({ length: SLICE }, (_, i) =>
      Math.floor(now - (50 * DAY_MS * (n + i + 1)) / ROWS),
    );
    const refs = (i: number) => ({ referrer: `ref-${i % 50}` });
    await storeRows(
      db,
      times.map((at, i) => clickRow(at, refs(i))),
      times.map((at, i) => visitRow(at, refs(i))),
    );
  }
  await db.close();
}

test(`reports on ${ROWS} rows while clicks arrive: clicks are acknowledged meanwhile, and each is stored once`, async () => {
  const dataDir = makeDataDir();
  await storeDays(dataDir);
  const server = await startServer({ dataDir, env: { ADMIN_PASSWORD } });
  const { load, stop } = startLoad(server.url);
  await untilAcked(load, 100);
  for (let n = 1; n <= 3; n += 1) {
    const before = load.acked.size;
    // Each request asks for other days, because the server caches an answer for a minute.
    const answer = await fetch(`${server.url}/report.csv?days=${60 + n}`, {
      headers: withPassword(ADMIN_PASSWORD),
    });
    expect(answer.status).toBe(200);
    expect(load.acked.size).toBeGreaterThan(before);
    const [total] = parseCsv(await answer.text());
    expect(Number(total?.clicks)).toBeGreaterThanOrEqual(ROWS);
    expect(Number(total?.visits)).toBe(ROWS);
  }
  await stop();
  expect([...load.others]).toEqual([]);
  expect(await server.stop('SIGTERM')).toBe(0);
  expect(await expectKept(server, load)).toBe(ROWS + load.acked.size);
});
