/**
 * What a click becomes on both databases: the answer of POST /api/log-cta, a row, a count, an event
 * for PostHog, and a line of the log.
 */
import fc from 'fast-check';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { COPIED_NAMES } from '#contract/click-fields.schema.ts';
import { ID_AHEAD, LOG_CTA_PATH } from '#contract/limits.ts';
import { pick } from '../../../server/pick.ts';
import { HOUR_MS } from '../../../server/time.ts';
import { BEACON, PING, startClickSite } from '../../helpers/server/click-site.ts';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { makeBody, makeFullBody } from '../../helpers/server/server-app.ts';
import { anyBody } from '../../helpers/server/server-bodies.ts';

describe.each(DATABASES)('a click on $name', ({ name, makeEnv }) => {
  const start = async (env: Record<string, string> = {}, site = {}) =>
    startClickSite({ env: { ...(await makeEnv()), ...env }, site });

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
    const site = await startClickSite({ env });
    const other = name === 'PostgreSQL' ? await startClickSite({ env }) : site;
    const ids = Array.from({ length: 20 }, () => v7());
    const answers = await Promise.all(
      ids.flatMap((id) => [site, other, site].map((one) => one.post(makeBody({ id })))),
    );
    const statuses = answers.map(([, { status }]) => status);
    expect(statuses.filter((status) => status === 'logged')).toHaveLength(20);
    await site.close();

    const later = await startClickSite({ env, dataDir: site.config.dataDir });
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

  test('on a button of a newer page is kept with 202 and counts as unknown, until a server knows the button', async () => {
    const env = await makeEnv();
    const site = await startClickSite({ env });
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
    const later = await startClickSite({ env, dataDir: site.config.dataDir });
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
