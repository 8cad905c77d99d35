/** `clicks forget` next to servers that share PostgreSQL. */
import { expect, onTestFinished, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { newId } from '../../server/database/new-id.ts';
import { startPostgres } from '../helpers/cluster/postgres.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeBody, readLines, startApp } from '../helpers/server/server-app.ts';

test('a visit is forgotten in the ledgers of two running servers, and its clicks stay duplicates for both', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const env = {
    DATABASE_URL: await postgres.createDatabase(),
    REGISTRATION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  };
  const sites = [await startApp({ env }), await startApp({ env })] as const;
  const visit_id = newId();
  const send = async (site: (typeof sites)[number], payload: object) =>
    (await site.app.inject({ method: 'POST', url: LOG_CTA_PATH, payload })).json();
  const ids = [newId(), newId()] as const;
  for (const [i, site] of sites.entries()) {
    await send(site, makeBody({ id: ids[i], visit_id }));
    await send(site, makeBody({ visit_id: newId() }));
  }
  const [first, second] = sites.map(({ config }) => config.dataDir) as [string, string];
  const args = ['forget', '--visit', visit_id, '--ledger', second];
  const { out } = await runCli('clicks.ts', args, { ...env, DATA_DIR: first });
  expect(out).toContain('Forgot 2 clicks, in 2 files.');
  for (const [i, site] of sites.entries()) {
    const lines = readLines(site.config.files.ledger);
    expect(lines.map((one) => 'forgotten_at' in one)).toEqual([true, false]);
    const other = sites[1 - i];
    if (!other) throw new Error('There are two servers');
    expect(await send(other, makeBody({ id: ids[i], visit_id }))).toMatchObject({
      status: 'duplicate',
    });
    await send(site, makeBody());
    expect(site.logged().filter(({ level }) => Number(level) >= 40)).toEqual([]);
  }
});
