import { once } from 'node:events';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../server/time.ts';
import { VISIT } from '../../helpers/fakes/browser-event.ts';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { runSite, spawnSite } from '../../helpers/server/run-site.ts';
import { makeBody, type Site, startApp } from '../../helpers/server/server-app.ts';

/** @param hours by which the browser's clock is wrong @returns the click's id */
async function click(site: Site, hours = 0, parts: object = {}): Promise<string> {
  const id = v7({ msecs: Date.now() + hours * HOUR_MS });
  const { statusCode } = await site.postClick(makeBody({ id, visit_id: VISIT, ...parts }));
  expect(statusCode).toBe(200);
  return id;
}

const idsIn = (out: string): string[] =>
  out.split('\n').flatMap((line) => (line ? [JSON.parse(line).id] : []));

describe.each(DATABASES)('with $name', ({ makeEnv }) => {
  const start = async () => {
    const own = await makeEnv();
    const site = await startApp({ env: own });
    const env = { ...own, DATA_DIR: site.config.dataDir };
    return { site, env, run: (...args: string[]) => runSite(['clicks', ...args], env) };
  };

  test('the newest ones by the server’s clock, without visit, address and browser', async () => {
    const { site, run } = await start();
    const month = Date.now() - 30 * DAY_MS;
    const older = v7({ msecs: month });
    await click(site);
    await execute(site.config, `UPDATE clicks SET id = '${older}', received_at = ${month}`);
    const ids = [older];
    for (let n = 0; n < 18; n += 1) ids.push(await click(site, n % 2 === 0 ? 20 : -150));
    const { out: last } = await run('--id', ids.at(-1) ?? '');
    const before = new Date(Date.parse(JSON.parse(last).received_at) + 1).toISOString();
    ids.push(await click(site, 0, { referrer: '=SUM(1,2)' }));
    const { out, code } = await run();
    expect(code).toBe(0);
    // Some are of one millisecond.
    expect(idsIn(out).sort()).toEqual(ids.sort());
    const times = out.match(/"received_at":"[^"]+/g) ?? [];
    expect(times).toEqual(times.toSorted());
    expect(JSON.parse(out.split('\n')[1] ?? '')).toEqual({
      ...{ id: expect.any(String), received_at: expect.stringMatching(/^20.*Z$/) },
      ...{ event: 'hero_cta_click', clicked_at: '2026-01-31T09:30:00.000Z' },
      ...{ referrer: 'clinic-7', referring_domain: null, utm_source: null, utm_medium: null },
      ...{ utm_campaign: null, utm_content: null, utm_term: null, screen_class: null },
      ...{ is_mobile: true, via: 'fetch', is_bot: false, is_internal: false, is_private: false },
    });
    await click(site, 20);
    await click(site, 20);
    expect(idsIn((await run()).out)).not.toContain(older);
    expect(idsIn((await run('--since', before)).out)).toHaveLength(3);
  });

  test('one by its id shows all that is known of it', async () => {
    const { site, run } = await start();
    const id = await click(site, 0, { user_agent: 'Browser \u009b2J\u202e', seq: 2 });
    const { out } = await run('--id', id.toUpperCase());
    expect(JSON.parse(out)).toMatchObject({
      ...{ id, visit_id: VISIT, seq: 2, user_agent: 'Browser \ufffd2J\ufffd', is_known: true },
      ...{ ip: '203.0.113.7', remote_ip: '127.0.0.1', req_id: expect.any(String) },
      forgotten_at: null,
    });
    const unknown = await run('--id', VISIT);
    expect(unknown).toMatchObject({ code: 1, err: 'There is no click with this id.\n' });
  });

  test('--follow prints each click once, also one that comes late or with a wrong clock', async () => {
    const { site, env } = await start();
    const ids = [await click(site)];
    const child = spawnSite(['clicks', '--follow', '--ref', 'clinic-7'], env);
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    const untilPrinted = () => expect.poll(() => idsIn(out).sort()).toEqual(ids.toSorted());
    await untilPrinted();
    for (const hours of [20, -150, 0, -1]) ids.push(await click(site, hours));
    const late = await click(site, 0, { referrer: 'clinic-8' });
    await untilPrinted();
    // As the transaction of a slow disk: its click was received before others that are printed.
    const received = `received_at = received_at - 20000`;
    await execute(
      site.config,
      `UPDATE clicks SET referrer = 'clinic-7', ${received} WHERE id = '${late}'`,
    );
    ids.push(late);
    await untilPrinted();
    child.kill('SIGINT');
    await once(child, 'close');
    expect(idsIn(out).sort()).toEqual(ids.sort());
  });
});
