/** POST /k/visit: a page view is one anonymous row, and one event for PostHog. */
import { createHash, randomUUID, randomUUIDv7 } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { VISIT_PROPERTIES } from '../../../server/posthog/visit-properties.ts';
import { DAY_MS, MINUTE_MS } from '../../../server/time.ts';
import { pageView } from '../../helpers/fakes/page-view.ts';
import { keptOf, ONE_OF_EACH_KIND } from '../../helpers/fakes/referrers.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { ADMIN_PASSWORD, scrape } from '../../helpers/server/scrape.ts';
import { makeBody } from '../../helpers/server/server-app.ts';
import { startViewSite } from '../../helpers/server/view-site.ts';

const ROBOT = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' };
const CAMPAIGN = { utm_source: 'cure-sma', utm_medium: 'email', utm_campaign: 'spring.2026' };

describe.each(DATABASES)('on $name', ({ name, makeEnv }) => {
  test('a page view is one row and one event, also if the page sends it again', async () => {
    const { view, visits, waiting } = await startViewSite({ env: await makeEnv() });
    // A database cannot hold some characters of the ref.
    const sent = pageView({ referrer: 'clinic-\0\ud8007', campaign: CAMPAIGN });
    const answers = await Promise.all([view(sent), view(sent)]);
    answers.push(await view(sent));
    const statuses = answers.map(({ body }) => body.status);
    expect(statuses.sort()).toEqual(['duplicate', 'duplicate', 'logged']);
    const [row, ...others] = await visits();
    expect(others).toEqual([]);
    expect(row).toEqual({
      id: sent.id,
      viewed_at: expect.any(Number),
      page: '/help/',
      referrer: 'clinic-\ufffd7',
      ref_key: 'clinic-\ufffd7',
      ...CAMPAIGN,
      utm_content: null,
      utm_term: null,
      referring_class: null,
      referring_site: null,
      screen_class: null,
      is_first: true,
      is_brief: false,
      is_bot: false,
      is_internal: false,
      is_automated: false,
      marking: null,
    });
    expect(await waiting()).toMatchObject([
      { event: '$pageview', distinct_id: sent.visit_id, timestamp: sent.timestamp },
    ]);
  });

  test('neither ids nor the outbox nor times lead from a row to a click of the same visitor', async () => {
    const now = Date.now();
    const site = await startViewSite({ env: await makeEnv(), now: () => now });
    // A dozen families open the same page in one minute, each presses at once, and PostHog is away.
    const views = Array.from({ length: 12 }, () => pageView());
    await Promise.all(views.map((sent) => site.view(sent)));
    for (const { visit_id } of views)
      await site.postClick(makeBody({ id: randomUUIDv7(), visit_id }));
    const clicks = await site.rows('SELECT * FROM clicks');
    const rows = await site.visits();
    const outbox = await site.rows('SELECT * FROM posthog_outbox');
    expect([rows.length, clicks.length, outbox.length]).toEqual([12, 12, 24]);

    // By ids: no text of a row is in a click or an event, or is made from one that is.
    const others = JSON.stringify([clicks, outbox, await site.lines()]);
    const known = new Set(others.match(/[\da-f]{8}-[\da-f-]{27}/g));
    const made = [...known].flatMap((id) =>
      ['md5', 'sha1', 'sha256'].map((name) => createHash(name).update(id).digest('hex')),
    );
    for (const { id } of rows) {
      expect(others).not.toContain(String(id));
      expect(made.join().replaceAll('-', '')).not.toContain(String(id).replaceAll('-', ''));
      expect(String(id)).toMatch(/^.{8}-.{4}-4/);
    }
    // By times: each row has the same minute, and nothing else differs.
    expect(new Set(rows.map(({ id: _, ...row }) => JSON.stringify(row))).size).toBe(1);
    expect(Number(rows[0]?.viewed_at) % MINUTE_MS).toBe(0);
    // By the order in which the database keeps them: it is not the order of arrival.
    const place = name === 'PostgreSQL' ? 'ctid' : 'id';
    const ids = (await site.rows(`SELECT id FROM visits ORDER BY ${place}`)).map(({ id }) => id);
    const order = name === 'PostgreSQL' ? 'ctid' : 'uuid';
    const events = await site.rows(
      `SELECT event FROM posthog_outbox WHERE event IS NOT NULL ORDER BY ${order}`,
    );
    const people = events.map(({ event }) => JSON.parse(String(event)).distinct_id);
    const byRow = ids.map((id) => views.find((sent) => sent.id === id)?.visit_id);
    const arrived = views.map(({ visit_id }) => visit_id);
    expect(byRow).not.toEqual(arrived);
    expect(people).not.toEqual(arrived);
    expect(people).not.toEqual(byRow);
  });
});

test('without https a page makes no id, and the server draws one', async () => {
  const { view, visits } = await startViewSite({ site: { posthogKey: null } });
  expect((await view(pageView({ id: undefined }))).body).toEqual({ status: 'logged' });
  expect(await visits()).toMatchObject([{ id: expect.stringMatching(/^.{14}4.{21}$/) }]);
});

test('the row has the minute in which the server got it, and nothing of visit, address or browser', async () => {
  const now = Date.parse('2026-11-22T10:00:59.999Z');
  const { view, visits } = await startViewSite({ now: () => now });
  const sent = pageView({ referring_domain: 'www.google.com', screen_class: 'small' });
  await view(sent);
  const [row] = await visits();
  const kept = { referring_class: 'search', referring_site: null };
  expect(row).toMatchObject({ ...kept, screen_class: 'small' });
  expect(row?.viewed_at).toBe(Date.parse('2026-11-22T10:00:00.000Z'));
  expect(JSON.stringify(row)).not.toMatch(new RegExp(`${sent.visit_id}|127\\.0\\.0\\.1|Mozilla`));
});

test('the event has exactly the properties that every event has, made from the request', async () => {
  const { view, visits, waiting } = await startViewSite({ site: { referrerDetail: 'domain' } });
  const sent = pageView({ referring_domain: 'News.Example:8443', campaign: CAMPAIGN, gclid: 'x' });
  await view(sent);
  const [event] = await waiting();
  expect(Object.keys(event.properties).sort()).toEqual(Object.keys(VISIT_PROPERTIES).sort());
  expect(event.properties).toMatchObject({
    ...CAMPAIGN,
    utm_term: null,
    referrer: 'clinic-7',
    visit_id: sent.visit_id,
    $referring_domain: 'news.example',
    $browser: 'Firefox',
    $ip: '192.0.2.0',
    $current_url: sent.page_url,
    $pathname: '/help/',
    screen_class: null,
  });
  expect(await visits()).toMatchObject([
    { referring_class: 'other', referring_site: 'news.example' },
  ]);
});

test.each(['class', 'domain', 'none'] as const)(
  'with referrerDetail=%s, row and event keep that of each kind of site',
  async (detail) => {
    const { view, visits, waiting } = await startViewSite({ site: { referrerDetail: detail } });
    const visitors = ONE_OF_EACH_KIND.map((visitor, n) => ({
      ...visitor,
      referrer: `clinic-${n}`,
    }));
    for (const { host, referrer, userAgent } of visitors)
      await view(
        pageView({ referring_domain: host, referrer }),
        userAgent ? { 'user-agent': userAgent } : {},
      );
    const byRef = (one: { referrer?: unknown }, other: { referrer?: unknown }) =>
      String(one.referrer).localeCompare(String(other.referrer));
    const kept = visitors.map((visitor) => ({
      referrer: visitor.referrer,
      ...keptOf(visitor, detail),
    }));
    expect((await visits()).sort(byRef)).toMatchObject(kept);
    const properties = (await waiting()).map((event) => event.properties);
    expect(properties.sort(byRef)).toMatchObject(kept);
  },
);

const WITHOUT_EVENT = [
  { who: 'a robot', parts: {}, headers: ROBOT, row: { is_bot: true, is_internal: false } },
  {
    who: 'the team',
    parts: { is_internal: true },
    headers: {},
    row: { is_bot: false, is_internal: true },
  },
];

test.each(WITHOUT_EVENT)('the view of $who has a mark, and no event', async (example) => {
  const { view, visits, waiting } = await startViewSite();
  await view(pageView(example.parts), example.headers as Record<string, string>);
  expect(await visits()).toMatchObject([example.row]);
  expect(await waiting()).toEqual([]);
});

test('with Global Privacy Control or Do Not Track nothing is stored; without a PostHog no event', async () => {
  const { view, visits, waiting } = await startViewSite({ site: { posthogKey: null } });
  for (const signal of ['sec-gpc', 'dnt'])
    expect((await view(pageView(), { [signal]: '1' })).body).toEqual({ status: 'ignored' });
  expect(await visits()).toEqual([]);
  await view(pageView());
  expect(await visits()).toHaveLength(1);
  expect(await waiting()).toEqual([]);
});

const INVALID = [
  { field: 'id', value: 'x' },
  { field: 'id', value: randomUUIDv7() },
  { field: 'visit_id', value: undefined },
  { field: 'visit_id', value: randomUUID() },
  { field: 'timestamp', value: 'now' },
  { field: 'page_url', value: 'javascript:alert(1)' },
  { field: 'page_url', value: '/help/' },
  { field: 'referrer', value: 'x'.repeat(129) },
  { field: 'is_first', value: 'yes' },
];

test('a wrong field gets 400, which names it; a long body 413, and another type 415', async () => {
  const { view, visits } = await startViewSite();
  for (const { field, value } of INVALID) {
    const { status, body } = await view(pageView({ [field]: value }));
    expect([value, status, Object.keys(body.error.fields)]).toEqual([value, 400, [field]]);
  }
  expect((await view(pageView({ page_url: `https://a.example/${'x'.repeat(4096)}` }))).status).toBe(
    413,
  );
  expect((await view(pageView(), { 'content-type': 'text/html' })).status).toBe(415);
  expect((await view(pageView(), { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect(await visits()).toEqual([]);
});

const HOSTS: [page: string, host: string, isOwn: boolean][] = [
  ['https://site.example/', 'localhost', true],
  ['http://SITE.example:8080/', 'localhost', true],
  // A second name of the site, and an address.
  ['https://www.site.example/', 'www.site.example', true],
  ['https://www.site.example/', 'WWW.Site.Example:8443', true],
  ['http://[::1]:3000/', '[::1]:3000', true],
  ['https://copy.example/', 'localhost', false],
  ['https://site.example.evil.example/', 'site.example', false],
  ['https://evil.example/site.example', 'site.example', false],
  ['https://site.example@evil.example/', 'site.example', false],
  ['https://evil-site.example/', 'localhost', false],
];

test('a page of another host is in no figure, and operators see how many came', async () => {
  const site = await startViewSite({ env: { ADMIN_PASSWORD } });
  for (const [page_url, host, isOwn] of HOSTS) {
    const { status, body } = await site.view(pageView({ page_url }), { host });
    const expected = [page_url, 200, isOwn ? 'logged' : 'ignored'];
    expect([page_url, status, body.status]).toEqual(expected);
  }
  const ours = HOSTS.filter(([, , isOwn]) => isOwn).length;
  expect(await site.visits()).toHaveLength(ours);
  expect(await site.waiting()).toHaveLength(ours);
  const series = await scrape(site);
  expect(series['site_left_out_total{what="view",why="host"}']).toBe(HOSTS.length - ours);
});

test('a clock that is days off counts once, and PostHog gets the time of the server', async () => {
  const now = Date.now();
  const { view, visits, waiting } = await startViewSite({ now: () => now });
  const at = (ms: number) => new Date(now + ms).toISOString();
  const inBounds = [at(-8 * DAY_MS), at(DAY_MS)];
  const outOfBounds = [at(-8 * DAY_MS - 1), at(DAY_MS + 1), '1971-01-01T00:00:00.000Z'];
  for (const timestamp of [...inBounds, ...outOfBounds]) await view(pageView({ timestamp }));
  expect(await visits()).toHaveLength(5);
  const times = (await waiting()).map(({ timestamp }) => timestamp);
  expect(times.sort()).toEqual([...inBounds, at(0), at(0), at(0)].sort());
});
