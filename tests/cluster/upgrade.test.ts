/** deploy/bin/upgrade changes versions under load: real clones, servers, nginx, PostgreSQL and Redis. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { startReleases } from '../helpers/cluster/releases.ts';
import { makeLoad, startLoad, untilAcked } from '../helpers/server/server-load.ts';
import { storedIds } from '../helpers/server/server-process.ts';

async function get(url: string): Promise<string> {
  const sent = request(url, { rejectUnauthorized: false, agent: false });
  sent.end();
  const [answer] = await once(sent, 'response');
  const text = (await Array.fromAsync(answer as AsyncIterable<Buffer>)).join('').trim();
  return `${answer.statusCode} ${text}`;
}

test('an upgrade, a rollback and two broken versions under load: every click gets 200', async () => {
  const load = makeLoad();
  /** Clicks that had been sent again when nginx was reloaded: the restarts before it must cost none. */
  const resentAtReload: number[] = [];
  const site = await startReleases(() => resentAtReload.push(load.resent));
  const { url } = site.nginx;
  const stop = startLoad(url, load, { likeBrowsers: true });
  onTestFinished(stop);
  await untilAcked(load, 300);
  const first = site.current();

  site.addVersion('two');
  expect(await site.upgrade('two')).toMatchObject({ code: 0 });
  const second = site.current();
  expect(second).not.toBe(first);
  await expect.poll(() => get(url)).toBe('200 <title>two</title>');
  // A page that a visitor opened before the upgrade loads the rest of itself.
  expect(await get(`${url}/assets/page.one.js`)).toMatch(/^200/);
  await untilAcked(load, 300);
  const resentByFirstReload = load.resent;

  // This version does not start at all.
  site.addVersion('broken', { 'server/start.ts': 'process.exit(1);' });
  const broken = await site.upgrade('broken');
  expect(broken).toMatchObject({
    code: 1,
    said: expect.stringMatching(/not ready.* Nothing has changed/),
  });
  expect(site.current()).toBe(second);

  // This one starts alone, but not with the shared database.
  const refusal = `if (process.env.DATABASE_URL) process.exit(1);\n${readFileSync('server/start.ts', 'utf8')}`;
  site.addVersion('refuses', { 'server/start.ts': refusal });
  const refuses = await site.upgrade('refuses');
  expect(refuses).toMatchObject({
    code: 1,
    said: expect.stringContaining(`Switched back to ${second}`),
  });
  expect(site.current()).toBe(second);
  expect(await get(url)).toBe('200 <title>two</title>');

  expect(await site.upgrade('--rollback')).toMatchObject({ code: 0 });
  expect(site.current()).toBe(first);
  await expect.poll(() => get(url)).toBe('200 <title>one</title>');
  expect(await get(`${url}/assets/page.two.js`)).toMatch(/^200/);
  await untilAcked(load, 300);
  await stop();
  // At a reload nginx closes connections without a request, also if the next click is on its way.
  expect(resentAtReload).toEqual([0, resentByFirstReload]);

  // An older server would refuse the changed database.
  site.addVersion('three', { 'server/database/migrations/postgres/999-new.sql': 'SELECT 1' });
  expect(await site.upgrade('three', { SITE_RESTART: 'true ' })).toMatchObject({ code: 0 });
  const back = await site.upgrade('--rollback');
  expect(back).toMatchObject({
    code: 1,
    said: expect.stringContaining('does not know the database'),
  });

  const stored = new Set((await Promise.all(site.ledgers.map(storedIds))).flat());
  expect({
    failed: load.unanswered.size,
    others: [...load.others],
    lost: [...load.acked].filter((id) => !stored.has(id)),
  }).toEqual({ failed: 0, others: [], lost: [] });
  process.stdout.write(
    `10 restarts of servers, 2 reloads of nginx: ${load.acked.size} clicks, each answered with 200; ` +
      `${load.resent} of them twice sent, because nginx closed connections at its reload\n`,
  );
});
