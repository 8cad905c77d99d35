/**
 * The contract of POST /api/log-cta, on both databases: the answers, the row, the counters,
 * PostHog's queue, and the log's line.
 */
import fc from 'fast-check';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { COPIED_NAMES } from '#contract/click-fields.schema.ts';
import {
  ID_AHEAD,
  LOG_CTA_PATH,
  MAX_PAGE_URL,
  MAX_REFERRER,
  MAX_USER_AGENT,
} from '#contract/limits.ts';
import { pick } from '../../../server/pick.ts';
import { HOUR_MS } from '../../../server/time.ts';
import { keptOf, ONE_OF_EACH_KIND } from '../../helpers/fakes/referrers.ts';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { makeBody, makeFullBody, startApp } from '../../helpers/server/server-app.ts';
import { anyBody } from '../../helpers/server/server-bodies.ts';

const BEACON = `${LOG_CTA_PATH}?via=beacon`;
const PING = { 'content-type': 'text/ping', 'user-agent': 'Mozilla/5.0 (Android) Chrome/156.0' };
/** Its /48 and its /56 differ. */
const SIX = '2001:db8:1:ff00:3:4:5:6';

async function open(options: Parameters<typeof startApp>[0]) {
  const site = await startApp(options);
  const readCounts = () => site.rows('SELECT event, is_bot, n FROM click_counts WHERE n <> 0');
  const clicks = () => site.rows('SELECT * FROM clicks ORDER BY id');
  return {
    ...site,
    async post(body: unknown, headers: Record<string, string> = {}, url = LOG_CTA_PATH) {
      const answer = await site.postClick(body, headers, url);
      return [answer.statusCode, answer.json()];
    },
    clicks,
    /** `hero_cta_click false` and its number. */
    counts: async () =>
      Object.fromEntries((await readCounts()).map((row) => [`${row.event} ${row.is_bot}`, row.n])),
    queue: async () =>
      (await site.rows('SELECT uuid FROM posthog_outbox ORDER BY uuid')).map(({ uuid }) => uuid),
    /** The lines and the rows have these fields. A line lacks some that are null. */
    async expectKept(...expected: Record<string, unknown>[]) {
      const partOf = (one: object, i: number) => pick(one, Object.keys(expected[i] ?? {}), null);
      expect(site.lines().map(partOf)).toEqual(expected);
      expect((await clicks()).map(partOf)).toEqual(expected);
    },
  };
}

describe.each(DATABASES)('a click on $name', ({ name, makeEnv }) => {
  const start = async (env: Record<string, string> = {}, site = {}) =>
    open({ env: { ...(await makeEnv()), ...env }, site });

  test('is a row, a count, an event for PostHog, and a line: with addresses only in the file', async () => {
    const site = await start();
    const body = makeFullBody();
    const answer = await site.post({ ...body, secret: 'x', level: 60, via: 'x' });
    expect(answer).toEqual([200, { status: 'logged', id: body.id }]);
    const seen = {
      referring_class: 'search',
      remote_ip: '127.0.0.1',
      via: 'fetch',
      is_bot: false,
      req_id: expect.any(String),
      ref_key: 'clinic-7',
    };
    const { referring_domain, ...sent } = body;
    const [line] = site.lines();
    expect(line).toEqual({
      level: 30,
      time: expect.any(Number),
      pid: process.pid,
      hostname: expect.any(String),
      ...sent,
      ...seen,
      skew_ms: expect.any(Number),
      received_at: expect.stringMatching(/^\d{4}-.*T.*\.\d{3}Z$/),
    });
    const { ip, remote_ip, ...printed } = line as Record<string, unknown>;
    expect(site.printed()).toEqual([{ ...printed, time: expect.any(Number) }]);
    const { timestamp, sent_at, campaign, ...columns } = sent;
    expect(await site.clicks()).toEqual([
      {
        ...columns,
        ...seen,
        ...(campaign as object),
        clicked_at: Date.parse(String(timestamp)),
        sent_at: Date.parse(String(sent_at)),
        received_at: Date.parse(String(line?.received_at)),
        is_internal: false,
        is_automated: false,
        is_private: false,
        is_known: true,
        forgotten_at: null,
        marking: null,
        referring_site: null,
      },
    ]);
    expect(await site.counts()).toEqual({ 'hero_cta_click false': 1 });
    expect(await site.queue()).toEqual([body.id]);
  });

  test('that comes again is a duplicate, also at once, at another server and after a restart: its line says so', async () => {
    const env = await makeEnv();
    const site = await open({ env });
    const other = name === 'PostgreSQL' ? await open({ env }) : site;
    const ids = Array.from({ length: 20 }, () => v7());
    const answers = await Promise.all(
      ids.flatMap((id) => [site, other, site].map((one) => one.post(makeBody({ id })))),
    );
    const statuses = answers.map(([, { status }]) => status);
    expect(statuses.filter((status) => status === 'logged')).toHaveLength(20);
    await site.close();

    const later = await open({ env, dataDir: site.config.dataDir });
    const [id = ''] = ids;
    const again = await later.post(makeBody({ id: id.toUpperCase(), event: 'lower_cta_click' }));
    expect(again).toEqual([200, { status: 'duplicate', id }]);
    for (const { event } of await later.clicks()) expect(event).toBe('hero_cta_click');
    expect(await later.counts()).toEqual({ 'hero_cta_click false': 20 });
    expect(await later.queue()).toEqual(ids);
    const lines = [later, ...(other === site ? [] : [other])].flatMap((one) => one.lines());
    expect(lines.filter((line) => line.duplicate)).toHaveLength(41);
    expect(lines).toHaveLength(61);
    expect(later.printed()).toMatchObject([{ id, duplicate: true }]);
  });

  test('by beacon, as JSON or as text, with the specified fields alone, gets an id; its row says how it came', async () => {
    const site = await start();
    await site.post(makeBody({ is_internal: false }), { 'sec-gpc': '0', dnt: '0' }, BEACON);
    await site.post(makeBody(), { 'content-type': 'text/plain;charset=UTF-8' }, BEACON);
    const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const made = { id, via: 'beacon', referrer: 'clinic-7', visit_id: null, sent_at: null };
    const absent = pick({} as never, ['referring_class', 'referring_site', ...COPIED_NAMES], null);
    await site.expectKept({ ...made, ...absent }, { ...made, ...absent });
    const lacking = [...Object.keys(absent), 'campaign', 'is_internal', 'private'];
    expect(lacking.filter((field) => site.printed().some((line) => field in line))).toEqual([]);
  });

  test('by ping, from a link without script, has the data of its request and the campaign of its page', async () => {
    const site = await start();
    const ping = (query: string, headers = {}) =>
      site.post('PING', { ...PING, ...headers }, LOG_CTA_PATH + query);
    const page =
      'https://a.example/?ref=clinic-7&gclid=1&utm_source=cure-sma&utm_term=a+b&fbclid=1';
    const query = '?event=lower_cta_click&id=x&ip=203.0.113.9&private=1';
    expect(await ping(query, { 'ping-from': page })).toMatchObject([200, {}]);
    const [line] = site.lines();
    expect(line).toMatchObject({
      event: 'lower_cta_click',
      referrer: 'clinic-7',
      via: 'ping',
      is_mobile: true,
      ip: null,
      remote_ip: '127.0.0.1',
      user_agent: PING['user-agent'],
      campaign: { utm_source: 'cure-sma' },
      timestamp: line?.received_at,
    });
    expect(JSON.stringify(line)).not.toMatch(/clid/);
    // The browser cuts nothing to the contract's lengths.
    const long = `?event=hero_cta_click&referrer=${'r'.repeat(500)}`;
    await ping(long, { 'user-agent': 'u'.repeat(3000) });
    expect(await site.rows('SELECT * FROM clicks ORDER BY event DESC')).toMatchObject([
      { event: 'lower_cta_click', via: 'ping', page_url: 'https://a.example/?ref=clinic-7' },
      { referrer: 'r'.repeat(MAX_REFERRER), user_agent: 'u'.repeat(MAX_USER_AGENT) },
    ]);
    await ping('?event=help_cta_click', { 'ping-from': 'https://a.example/help/?fbclid=1' });
    const without = { page_url: 'https://a.example/help/', referrer: null };
    expect(site.lines().at(-1)).toMatchObject(without);
    for (const { length, search } of [
      { length: MAX_PAGE_URL, search: '?ref=clinic-7' },
      { length: MAX_PAGE_URL + 1, search: '' },
    ]) {
      const path = `https://a.example/${'p'.repeat(length - 'https://a.example/?ref=clinic-7'.length)}`;
      await ping('?event=help_cta_click', { 'ping-from': `${path}?ref=clinic-7` });
      expect(site.lines().at(-1)).toMatchObject({ page_url: path + search, referrer: 'clinic-7' });
    }
    const fields = { event: expect.any(String) };
    for (const wrong of ['', '?event=x', '?event=hero_cta_click%00'])
      expect(await ping(wrong)).toMatchObject([400, { error: { fields } }]);
  });

  test('on a button of a newer page is kept with 202 and counts as unknown, until a server knows the button', async () => {
    const env = await makeEnv();
    const site = await open({ env });
    const [event, known] = ['middle_cta_click', 'help_cta_click'];
    const [id, late, early, internal] = [v7(), v7(), v7(), v7()];
    for (const status of ['logged', 'duplicate'])
      expect(await site.post(makeBody({ id, event }))).toEqual([202, { status, id }]);
    await site.post(makeBody({ id: late, event }), {}, BEACON);
    await site.post('PING', PING, `${LOG_CTA_PATH}?event=${event}`);
    await site.post(makeBody({ id: internal, event, is_internal: true }));
    expect(site.lines().map((line) => line.event)).toEqual(Array(5).fill(event));
    expect(await site.counts()).toEqual({ 'unknown false': 3 });

    // As if a server without the button had kept these.
    const ids = `'${id}', '${internal}', '${late}'`;
    const change = `event = '${known}', is_bot = (id = '${late}')`;
    await execute(site.config, `UPDATE clicks SET ${change} WHERE id IN (${ids})`);
    await site.post(makeBody({ id: early, event: known }));
    await site.close();
    const later = await open({ env, dataDir: site.config.dataDir });
    await expect.poll(later.counts).toEqual({
      'unknown false': 2,
      'unknown true': -1,
      'help_cta_click false': 2,
      'help_cta_click true': 1,
    });
    expect(await later.queue()).toEqual([id, early].sort());
    const learnt = () => later.logged().filter(({ msg }) => /^Counted 2 clicks/.test(String(msg)));
    await expect.poll(learnt).toHaveLength(1);
  });

  test('with an id dated more than a day ahead gets its own code, and one of more than 8 days back is refused', async () => {
    const site = await start();
    for (const [hours, answer] of [
      [25, [400, { error: { code: ID_AHEAD } }]],
      [23, [200, { status: 'logged' }]],
      [-8 * 24 + 1, [200, { status: 'logged' }]],
      [-8 * 24 - 1, [400, { error: { code: 'id_too_old' } }]],
    ] as const) {
      const id = v7({ msecs: Date.now() + hours * HOUR_MS }).toUpperCase();
      expect(await site.post(makeBody({ id }))).toMatchObject(answer);
    }
    expect(await site.clicks()).toHaveLength(2);
  });

  test.each([
    ['a robot', {}, { 'user-agent': 'Googlebot/2.1' }, { is_bot: true }, 'true'],
    ['Global Privacy Control', {}, { 'sec-gpc': '1' }, { private: true }, 'false'],
    ['Do Not Track', {}, { dnt: '1' }, { private: true }, 'false'],
    ['the team’s mark', { is_internal: true }, {}, { is_internal: true }, 'never'],
  ])('with %s has that mark, and PostHog does not get it', async (_, parts, headers, mark, bot) => {
    const site = await start();
    const body = makeBody({ id: v7(), ...parts });
    await site.post(body, headers);
    await site.post(body, headers);
    await site.post(makeBody(parts), headers, BEACON);
    const ping = `${LOG_CTA_PATH}?event=hero_cta_click`;
    if (bot !== 'never') await site.post('PING', { ...PING, ...headers }, ping);
    await site.post({ ip: body.ip }, headers);
    const { private: isPrivate = false, ...marks } = mark as Record<string, boolean>;
    const address = isPrivate ? { ip: null, remote_ip: null } : {};
    for (const line of site.lines()) expect(line).toMatchObject({ ...mark, ...address });
    for (const row of await site.clicks())
      expect(row).toMatchObject({ ...marks, ...address, is_private: isPrivate });
    expect(JSON.stringify(site.refused()).includes('203.0.113.7')).toBe(!isPrivate);
    expect(await site.counts()).toEqual(bot === 'never' ? {} : { [`hero_cta_click ${bot}`]: 3 });
    expect(await site.queue()).toEqual([]);
  });

  test('of an automated browser is logged, counted in public and sent to PostHog, with its mark', async () => {
    const site = await start();
    const id = v7();
    const answer = await site.post(makeBody({ id, is_automated: true, is_scripted: true }));
    expect(answer).toEqual([200, { status: 'logged', id }]);
    const marks = { is_automated: true, is_scripted: true };
    expect(site.lines()).toMatchObject([marks]);
    expect(await site.clicks()).toMatchObject([marks]);
    expect(await site.counts()).toEqual({ 'hero_cta_click false': 1 });
    expect(await site.queue()).toEqual([id]);
  });

  const [TEXT, PLAIN] = ['a\0\ud800é\u2028"\\😀', 'a\ufffdé\u2028"\\😀'];
  test.each([
    ['full', '198.51.100.77:4711', SIX, '198.51.100.77'],
    ['full', '[2001:db8::7]:4711', SIX, '2001:db8::7'],
    ['full', '_hidden', SIX, null],
    ['truncated', '::ffff:198.51.100.77', '2001:db8:1::', '198.51.100.0'],
    ['truncated', 'fe80::1%eth0', '2001:db8:1::', 'fe80::'],
    ['none', '198.51.100.77', null, null],
  ])('with logIp=%s from %s has %s and %s, and no NUL', async (logIp, from, ip, remote_ip) => {
    const site = await start({ TRUST_PROXY: '1' }, { logIp });
    const body = makeBody({ ip: SIX, referrer: TEXT, user_agent: TEXT });
    // The proxy added the last one, perhaps with its port. The visitor wrote the one before it.
    await site.post(body, { 'x-forwarded-for': `6.6.6.6, ${from}` });
    await site.expectKept({ ip, remote_ip, referrer: PLAIN, user_agent: PLAIN });
  });

  test.each(['class', 'domain', 'none'])(
    'with referrerDetail=%s keeps that of each kind of site',
    async (referrerDetail) => {
      const site = await start({}, { referrerDetail });
      for (const { host, userAgent = 'Firefox' } of ONE_OF_EACH_KIND)
        await site.post(makeBody({ id: v7(), referring_domain: host, user_agent: userAgent }));
      await site.expectKept(...ONE_OF_EACH_KIND.map((visitor) => keptOf(visitor, referrerDetail)));
    },
  );

  test('of a thousand generated bodies: no 5xx, and each acknowledged one is a row and a line', async () => {
    const site = await start({ RATE_LIMIT: '0' });
    const ids: string[] = [];
    const send = async (body: unknown) => {
      const [status, answer] = await site.post(body);
      expect([200, 400], JSON.stringify(body)).toContain(status);
      if (status === 200) ids.push(answer.id);
      else expect(answer).toHaveProperty('error.code');
    };
    // fast-check names the seed and the bodies at fault. A busy machine answers more at once with
    // 503.
    const bodies = fc.array(anyBody, { minLength: 50, maxLength: 50 });
    const sendAll = fc.asyncProperty(
      bodies,
      async (some) => void (await Promise.all(some.map(send))),
    );
    await fc.assert(sendAll, { numRuns: 20, endOnFailure: true });
    expect(ids.length).toBeGreaterThan(100);
    expect((await site.clicks()).map(({ id }) => id)).toEqual(ids.sort());
    expect(new Set(site.lines().map(({ id }) => id))).toEqual(new Set(ids));
  });
});
