/** The contract of POST /api/log-cta, on both databases: the answers, the row, the counters, PostHog's queue, and the log's line. */

import { randomUUIDv7 as newId } from 'node:crypto';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { ID_AHEAD, LOG_CTA_PATH, MAX_REFERRER, MAX_USER_AGENT } from '#contract/limits.ts';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { postClick } from '../../helpers/server/post-click.ts';
import { makeBody, type Site, startApp } from '../../helpers/server/server-app.ts';
import { anyBody } from '../../helpers/server/server-bodies.ts';

const BEACON = `${LOG_CTA_PATH}?via=beacon`;
const PING = {
  'content-type': 'text/ping',
  'user-agent': 'Mozilla/5.0 (Linux; Android 16) Chrome/156.0',
};
const HOUR_MS = 3_600_000;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** SQLite has 0 and 1 for booleans. */
const readRows = async (site: Site) => {
  const rows = await site.rows('SELECT * FROM clicks ORDER BY id');
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, name.startsWith('is_') ? !!value : value]),
    ),
  );
};

/** `hero_cta_click false` and its number. */
const readCounts = async (site: Site) => {
  const rows = await site.rows('SELECT event, is_bot, n FROM click_counts');
  return Object.fromEntries(
    rows.filter(({ n }) => n !== 0).map(({ event, is_bot, n }) => [`${event} ${!!is_bot}`, n]),
  );
};

const readQueue = async (site: Site) =>
  (await site.rows('SELECT uuid FROM posthog_outbox')).map(({ uuid }) => uuid);

describe.each(DATABASES)('a click on $name', ({ name, makeEnv }) => {
  const start = async (env: Record<string, string> = {}, settings: Partial<BuiltSite> = {}) =>
    startApp({ env: { ...(await makeEnv()), ...env }, site: settings });

  test('is a row, a count, an event for PostHog, and a line: with addresses only in the file', async () => {
    const site = await start();
    const [id, visit] = [newId(), newId()];
    const sent = {
      ...makeBody({ id, visit_id: visit, sent_at: '2026-01-31T09:30:01.000Z', dropped: 3, seq: 2 }),
      campaign: { utm_source: 'cure-sma', utm_term: 'a.b~c-d_e' },
      screen_class: 'small',
    };
    const body = { ...sent, referring_domain: 'www.google.com', secret: 'x', level: 60, via: 'x' };
    const answer = await postClick(site, body);
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'logged', id }]);

    const [line] = site.lines();
    const seen = {
      ...{ referring_domain: 'search', remote_ip: '127.0.0.1', via: 'fetch', is_bot: false },
      req_id: expect.any(String),
    };
    expect(line).toEqual({
      ...{ level: 30, time: expect.any(Number), pid: process.pid, hostname: expect.any(String) },
      ...{ ...sent, ...seen },
      received_at: expect.stringMatching(ISO_TIME),
      skew_ms: expect.any(Number),
    });
    const { ip, remote_ip, ...printed } = line as Record<string, unknown>;
    expect(site.printed()).toEqual([{ ...printed, time: expect.any(Number) }]);
    const { timestamp, sent_at, campaign, ...columns } = sent as Record<string, unknown>;
    expect(await readRows(site)).toEqual([
      {
        ...columns,
        ...seen,
        ...{ utm_source: 'cure-sma', utm_medium: null, utm_campaign: null },
        ...{ utm_content: null, utm_term: 'a.b~c-d_e' },
        clicked_at: Date.parse(String(timestamp)),
        sent_at: Date.parse(String(sent_at)),
        received_at: Date.parse(String(line?.received_at)),
        ...{ is_internal: false, is_private: false, is_known: true, forgotten_at: null },
      },
    ]);
    expect(await readCounts(site)).toEqual({ 'hero_cta_click false': 1 });
    expect(await readQueue(site)).toEqual([id]);
  });

  test('that comes again is a duplicate, also at the same moment and after a restart: its line says so', async () => {
    const env = await makeEnv();
    const site = await startApp({ env });
    const id = newId();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => postClick(site, makeBody({ id }))),
    );
    const statuses = answers.map((answer) => answer.json().status).sort();
    expect(statuses).toEqual([...Array(19).fill('duplicate'), 'logged']);
    await site.close();

    const later = await startApp({ env, dataDir: site.config.dataDir });
    const again = makeBody({ id: id.toUpperCase(), event: 'lower_cta_click' });
    const answer = await postClick(later, again);
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'duplicate', id }]);
    expect(await readRows(later)).toMatchObject([{ id, event: 'hero_cta_click' }]);
    expect(await readCounts(later)).toEqual({ 'hero_cta_click false': 1 });
    expect(await readQueue(later)).toEqual([id]);
    expect(later.lines().filter((line) => line.duplicate)).toHaveLength(20);
    expect(later.lines().map((line) => line.id)).toEqual(Array(21).fill(id));
    expect(later.printed()).toMatchObject([{ id, duplicate: true }]);
  });

  test.runIf(name === 'PostgreSQL')(
    'that two servers get at the same moment is logged once, and counts once',
    async () => {
      const env = await makeEnv();
      const sites = [await startApp({ env }), await startApp({ env })] as const;
      const ids = Array.from({ length: 50 }, () => newId());
      const answers = await Promise.all(
        ids.map((id) => Promise.all(sites.map((site) => postClick(site, makeBody({ id }))))),
      );
      for (const pair of answers)
        expect(pair.map((answer) => answer.json().status).sort()).toEqual(['duplicate', 'logged']);
      expect(await readRows(sites[0])).toHaveLength(50);
      const [counted] = await sites[0].rows(
        'SELECT CAST(SUM(n) AS INTEGER) AS n FROM click_counts',
      );
      expect(counted).toEqual({ n: 50 });
    },
  );

  test('by beacon, as JSON or as text, and with the specified fields alone, gets an id and a row that says how it came', async () => {
    const site = await start();
    await postClick(site, makeBody(), {}, BEACON);
    await postClick(site, makeBody(), { 'content-type': 'text/plain;charset=UTF-8' }, BEACON);
    const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const made = { id, via: 'beacon', referrer: 'clinic-7', visit_id: null, sent_at: null };
    for (const both of [site.lines(), await readRows(site)])
      expect(both).toMatchObject([made, made]);
  });

  test('by ping, from a link without script, has the data of its request and the campaign of its page', async () => {
    const site = await start();
    const page = 'https://site.example/?ref=clinic-7';
    const utm = '&gclid=EAI&utm_source=cure-sma&utm_medium=a+b&fbclid=IwAR#about';
    const url = `${LOG_CTA_PATH}?event=lower_cta_click&id=x&ip=203.0.113.9&private=1`;
    const answer = await postClick(site, 'PING', { ...PING, 'ping-from': page + utm }, url);
    expect(answer.statusCode).toBe(200);
    const [line] = site.lines();
    expect(line).toMatchObject({
      ...{ event: 'lower_cta_click', referrer: 'clinic-7', via: 'ping', is_mobile: true },
      ...{ ip: null, remote_ip: '127.0.0.1', user_agent: PING['user-agent'] },
      campaign: { utm_source: 'cure-sma' },
    });
    expect(line?.timestamp).toBe(line?.received_at);
    expect(JSON.stringify(line)).not.toMatch(/clid/);
    expect(await readRows(site)).toMatchObject([{ event: 'lower_cta_click', via: 'ping' }]);
  });

  test('by ping is cut to the contract’s lengths, and needs an event but no Ping-From', async () => {
    const site = await start();
    const long = `&referrer=${'r'.repeat(500)}`;
    const headers = { ...PING, 'user-agent': 'u'.repeat(3000) };
    await postClick(site, 'PING', headers, `${LOG_CTA_PATH}?event=hero_cta_click${long}`);
    const [row] = await readRows(site);
    expect(row?.referrer).toHaveLength(MAX_REFERRER);
    expect(row?.user_agent).toHaveLength(MAX_USER_AGENT);
    for (const query of ['', '?event=x', '?event=hero_cta_click%00']) {
      const answer = await postClick(site, 'PING', PING, LOG_CTA_PATH + query);
      expect(answer.statusCode).toBe(400);
      expect(Object.keys(answer.json().error.fields)).toEqual(['event']);
    }
  });

  test('on a button of a newer page is kept with 202 and counts as unknown, until a server knows the button', async () => {
    const env = await makeEnv();
    const site = await startApp({ env });
    const event = 'middle_cta_click';
    const [id, late, early, internal] = [newId(), newId(), newId(), newId()];
    for (const status of ['logged', 'duplicate']) {
      const answer = await postClick(site, makeBody({ id, event }));
      expect([answer.statusCode, answer.json()]).toEqual([202, { status, id }]);
    }
    await postClick(site, makeBody({ id: late, event }), {}, BEACON);
    await postClick(site, 'PING', PING, `${LOG_CTA_PATH}?event=${event}`);
    await postClick(site, makeBody({ id: internal, event, is_internal: true }));
    expect(site.lines().map((line) => line.event)).toEqual(Array(5).fill(event));
    expect(await readCounts(site)).toEqual({ 'unknown false': 3 });
    expect(await readQueue(site)).toEqual([]);

    // As if a server without the button had kept these.
    const ids = `'${id}', '${internal}'`;
    await execute(site.config, `UPDATE clicks SET event = 'help_cta_click' WHERE id IN (${ids})`);
    const toRobot = `is_bot = true, event = 'help_cta_click' WHERE id = '${late}'`;
    await execute(site.config, `UPDATE clicks SET ${toRobot}`);
    await postClick(site, makeBody({ id: early, event: 'help_cta_click' }));
    await site.close();
    const later = await startApp({ env, dataDir: site.config.dataDir });
    await expect
      .poll(() => readCounts(later))
      .toEqual({
        ...{ 'unknown false': 2, 'unknown true': -1 },
        ...{ 'help_cta_click false': 2, 'help_cta_click true': 1 },
      });
    expect((await readQueue(later)).sort()).toEqual([id, early].sort());
    const learnt = () => later.logged().filter(({ msg }) => /^Counted 2 clicks/.test(String(msg)));
    await expect.poll(learnt).toHaveLength(1);
  });

  test('of the team’s own browser is one row and a line, and counts nowhere', async () => {
    const env = await makeEnv();
    const site = await startApp({ env });
    const id = newId();
    for (const [status, url] of [
      ['logged', BEACON],
      ['duplicate', LOG_CTA_PATH],
    ] as const) {
      const answer = await postClick(site, makeBody({ id, is_internal: true }), {}, url);
      expect(answer.json()).toEqual({ status, id });
    }
    expect(site.lines()).toMatchObject(Array(2).fill({ id, is_internal: true }));
    expect(await readRows(site)).toMatchObject([{ id, is_internal: true, via: 'beacon' }]);
    expect(await readCounts(site)).toEqual({});
    expect(await readQueue(site)).toEqual([]);
    const other = newId();
    await postClick(site, makeBody({ id: other, is_internal: false }));
    expect(site.lines().at(-1)).not.toHaveProperty('is_internal');
    expect(await readQueue(site)).toEqual([other]);
    await site.close();
    // The statistics of a new server begin at once.
    const later = await startApp({ env, dataDir: site.config.dataDir });
    const stats = await later.app.inject('/api/stats');
    expect(stats.json().clicks.total).toBe(1);
  });

  test('with an id dated more than a day ahead gets its own code, and one of more than 8 days back is refused', async () => {
    const site = await start();
    for (const [hours, status, code] of [
      [25, 400, ID_AHEAD],
      [23, 200, undefined],
      [-8 * 24 + 1, 200, undefined],
      [-8 * 24 - 1, 400, 'id_too_old'],
    ] as const) {
      const id = v7({ msecs: Date.now() + hours * HOUR_MS });
      const answer = await postClick(site, makeBody({ id: id.toUpperCase() }));
      expect([answer.statusCode, answer.json().error?.code]).toEqual([status, code]);
    }
    expect(await readRows(site)).toHaveLength(2);
  });

  test.each(['sec-gpc', 'dnt'])(
    'of a visitor who sends %s has no address in any form of sending, and PostHog does not get it',
    async (header) => {
      const site = await start();
      const asked = { [header]: '1' };
      await postClick(site, makeBody(), asked);
      await postClick(site, makeBody(), asked, BEACON);
      const url = `${LOG_CTA_PATH}?event=hero_cta_click`;
      await postClick(site, 'PING', { ...PING, ...asked }, url);
      const known = newId();
      await postClick(site, makeBody({ id: known }), { [header]: '0' });
      await postClick(site, makeBody({ event: 'x' }), asked);

      const none = { ip: null, remote_ip: null };
      const lines = site.lines();
      expect(lines.slice(0, 3)).toMatchObject(Array(3).fill({ ...none, private: true }));
      expect(lines[3]).not.toHaveProperty('private');
      const rows = (await readRows(site)).filter(({ id }) => id !== known);
      expect(rows).toMatchObject(Array(3).fill({ ...none, is_private: true }));
      expect(site.refused()).toMatchObject([{ remote_ip: null }]);
      expect(JSON.stringify(site.refused())).not.toContain('203.0.113.7');
      expect(await readCounts(site)).toEqual({ 'hero_cta_click false': 4 });
      expect(await readQueue(site)).toEqual([known]);
    },
  );

  const SIX = '2001:db8:1:2:3:4:5:6';
  // Some proxies add the port of the connection.
  test.each([
    ['full', '198.51.100.77:4711', SIX, '198.51.100.77'],
    ['full', '[2001:db8::7]:4711', SIX, '2001:db8::7'],
    ['full', '_hidden', SIX, null],
    ['truncated', '::ffff:198.51.100.77', '2001:db8:1::', '198.51.100.0'],
    ['truncated', 'fe80::1%eth0', '2001:db8:1::', 'fe80::'],
    ['none', '198.51.100.77', null, null],
  ] as const)(
    'with logIp=%s from %s has the addresses %s and %s, in row and line',
    async (logIp, from, ip, remote_ip) => {
      const site = await start({ TRUST_PROXY: '1' }, { logIp });
      // The proxy added the last one. The visitor wrote the one before it.
      await postClick(site, makeBody({ ip: SIX }), { 'x-forwarded-for': `6.6.6.6, ${from}` });
      expect(site.lines()).toMatchObject([{ ip, remote_ip }]);
      expect(await readRows(site)).toMatchObject([{ ip, remote_ip }]);
    },
  );

  test.each([
    ['class', 'partner', 'other', 'direct'],
    ['domain', 'www.portal.example', 'clinic.example', 'direct'],
    ['none', null, null, null],
  ] as const)('with referrerDetail=%s has %s, %s or %s', async (referrerDetail, ...expected) => {
    const site = await start({}, { referrerDetail });
    const ids = [newId(), newId(), newId()];
    const hosts = ['www.portal.example', 'Clinic.example:8443', 'site.example'];
    for (const [i, referring_domain] of hosts.entries())
      await postClick(site, makeBody({ id: ids[i], referring_domain }));
    const kept = new Map((await readRows(site)).map((row) => [row.id, row.referring_domain]));
    expect(ids.map((id) => kept.get(id))).toEqual(expected);
    expect(site.lines().map((line) => line.referring_domain ?? null)).toEqual(expected);
  });

  test('loses NUL and half characters from its text, and nothing else', async () => {
    const site = await start();
    const text = 'a\0\ud800é\u2028"\\😀';
    await postClick(site, makeBody({ referrer: text, user_agent: text }));
    const kept = 'a\ufffdé\u2028"\\😀';
    expect(await readRows(site)).toMatchObject([{ referrer: kept, user_agent: kept }]);
    expect(site.lines()).toMatchObject([{ referrer: kept, user_agent: kept }]);
  });

  test('of a value that the database refuses costs no other click of its group', async () => {
    const site = await start();
    const ids = [newId(), newId(), newId()] as const;
    await Promise.all(ids.map((id) => postClick(site, makeBody({ id }))));
    const [row] = await readRows(site);
    const group = [newId(), newId(), newId()].map((id, n) => ({
      ...(row as Parameters<typeof site.data.recorder.record>[0]),
      id,
      // The contract lets no such value through today.
      ...(n === 1 && { event: null as never }),
    }));
    const results = await Promise.allSettled(group.map(site.data.recorder.record));
    expect(results).toMatchObject([
      { value: 'logged' },
      { reason: { statusCode: 400, code: 'validation_failed' } },
      { value: 'logged' },
    ]);
    expect(await readRows(site)).toHaveLength(5);
    expect(await readCounts(site)).toEqual({ 'hero_cta_click false': 5 });
    expect(site.lines()).toHaveLength(5);
  });

  test('of a thousand generated bodies: no 5xx, and each acknowledged one is a row and a line', async () => {
    const site = await start({ RATE_LIMIT: '0' });
    const ids: string[] = [];
    const send = async (body: unknown) => {
      const answer = await postClick(site, body);
      if (answer.statusCode === 200) ids.push(answer.json().id);
      else expect(answer.json(), JSON.stringify(body)).toHaveProperty('error.code');
      expect([200, 400]).toContain(answer.statusCode);
    };
    // A busy machine answers too many at once with 503.
    for (let n = 0; n < 20; n += 1) await Promise.all(fc.sample(anyBody, 50).map(send));
    expect(ids.length).toBeGreaterThan(100);
    expect((await readRows(site)).map(({ id }) => id)).toEqual(ids.sort());
    const logged = site.lines().map(({ id }) => id);
    expect(logged.sort()).toEqual(ids);
  });
});
