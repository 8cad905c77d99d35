import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LOG_CTA_PATH, MAX_REFERRER, MAX_USER_AGENT } from '#contract/limits.ts';
import { postClick } from '../../helpers/server/post-click.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';
import { anyBody } from '../../helpers/server/server-bodies.ts';

const ID = '019c1234-5678-7abc-8def-0123456789ab';
const OTHER_ID = '019c1234-5678-7abc-8def-0123456789ac';

describe('a click', () => {
  test('is one line with pino’s fields, the body’s ten and the server’s six, in the file and on standard output', async () => {
    const site = await startApp();
    const body = makeBody({ id: ID, visit_id: OTHER_ID, sent_at: '2026-01-31T09:30:01.000Z' });
    const answer = await postClick(site, body, { 'user-agent': 'Mozilla/5.0 Firefox/150.0' });

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: 'logged', id: ID });
    expect(site.lines()).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        pid: process.pid,
        hostname: expect.any(String),
        ...body,
        remote_ip: '127.0.0.1',
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        via: 'fetch',
        is_bot: false,
        skew_ms: expect.any(Number),
        req_id: expect.any(String),
      },
    ]);
    expect(site.mirrored()).toEqual(site.lines());
  });

  test('of a client that sends only the specified fields gets an id of version 7', async () => {
    const site = await startApp();
    const answer = await postClick(site, makeBody());
    const [line] = site.lines();

    expect(answer.json()).toEqual({ status: 'logged', id: line?.id });
    expect(line?.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(line).toMatchObject({ visit_id: null, sent_at: null, skew_ms: null });
  });

  test('with a known id is a duplicate, and changes nothing', async () => {
    const site = await startApp();
    await postClick(site, makeBody({ id: ID }));
    const again = await postClick(
      site,
      makeBody({ id: ID.toUpperCase(), event: 'lower_cta_click' }),
    );

    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual({ status: 'duplicate', id: ID });
    expect(site.lines()).toHaveLength(1);
  });

  test('sent many times at the same moment is logged once', async () => {
    const site = await startApp();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => postClick(site, makeBody({ id: ID }))),
    );
    const statuses = answers.map((answer) => answer.json().status).sort();

    expect(statuses).toEqual([...Array(19).fill('duplicate'), 'logged']);
    expect(site.lines()).toHaveLength(1);
  });

  test('may be sent by beacon', async () => {
    const site = await startApp();
    await postClick(site, makeBody(), {}, `${LOG_CTA_PATH}?via=beacon`);
    expect(site.lines()).toMatchObject([{ via: 'beacon' }]);
  });

  test('reports the clicks that the browser had to drop', async () => {
    const site = await startApp();
    await postClick(site, makeBody({ dropped: 3 }));
    expect(site.lines()).toMatchObject([{ dropped: 3 }]);
  });

  test('gets the same answer for each spelling of type, id and fields', async () => {
    const site = await startApp({ env: { RATE_LIMIT_CLICKS: '1000' } });
    // The browser's own form; then the type with a parameter, the id in upper case, and one more field.
    const answers = [
      await postClick(site, makeBody({ id: ID })),
      await postClick(site, makeBody({ id: ID }), {
        'content-type': 'application/json; charset=x',
      }),
      await postClick(site, makeBody({ id: ID.toUpperCase() })),
      await postClick(site, makeBody({ id: ID, dropped: 1 })),
    ];
    const [first, ...others] = answers.map(({ statusCode, headers, json }) => {
      const { date, 'content-length': length, 'ratelimit-remaining': left, ...rest } = headers;
      return { statusCode, rest, id: json().id };
    });
    expect(first).toMatchObject({ statusCode: 200, id: ID });
    for (const other of others) expect(other).toEqual(first);
    expect(answers.map(({ headers }) => headers['ratelimit-remaining'])).toEqual([
      '999',
      '998',
      '997',
      '996',
    ]);
    expect(answers.map((answer) => answer.json().status)).toEqual([
      'logged',
      'duplicate',
      'duplicate',
      'duplicate',
    ]);
  });

  test('of a robot is flagged, not dropped', async () => {
    const site = await startApp();
    await postClick(site, makeBody({ user_agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }));
    await postClick(site, makeBody(), { 'user-agent': 'curl/8.5.0' });
    await postClick(site, makeBody(), { 'user-agent': 'Mozilla/5.0 Firefox/150.0' });
    expect(site.lines().map((line) => line.is_bot)).toEqual([true, true, false]);
  });

  test('loses NUL and half characters from its text, and nothing else', async () => {
    const site = await startApp();
    const text = 'a\0\ud800é\u2028"\\😀';
    await postClick(site, makeBody({ referrer: text, user_agent: text }));
    const kept = 'a\ufffdé\u2028"\\😀';
    expect(site.lines()).toMatchObject([{ referrer: kept, user_agent: kept }]);
  });

  test('has no unknown keys in its line', async () => {
    const site = await startApp();
    await postClick(site, { ...makeBody(), secret: 'x', level: 60 });
    expect(site.lines()[0]).not.toHaveProperty('secret');
    expect(site.lines()[0]).toMatchObject({ level: 30 });
  });
});

describe('a ping, from a link without script', () => {
  const PING = {
    'content-type': 'text/ping',
    'user-agent': 'Mozilla/5.0 (Linux; Android 16) Chrome/156.0',
  };

  test('becomes a click with the data of its request', async () => {
    const site = await startApp();
    const page = 'https://site.example/?ref=clinic-7';
    const url = `${LOG_CTA_PATH}?event=lower_cta_click`;
    const answer = await postClick(site, 'PING', { ...PING, 'ping-from': page }, url);

    expect(answer.statusCode).toBe(200);
    const [line] = site.lines();
    expect(line).toMatchObject({
      event: 'lower_cta_click',
      referrer: 'clinic-7',
      ip: null,
      page_url: page,
      user_agent: PING['user-agent'],
      is_mobile: true,
      remote_ip: '127.0.0.1',
      via: 'ping',
    });
    expect(line?.timestamp).toBe(line?.received_at);
  });

  test('uses the referrer of its own URL first', async () => {
    const site = await startApp();
    const url = `${LOG_CTA_PATH}?event=hero_cta_click&referrer=own`;
    await postClick(site, 'PING', { ...PING, 'ping-from': 'https://site.example/?ref=page' }, url);
    expect(site.lines()).toMatchObject([{ referrer: 'own' }]);
  });

  test('is cut to the contract’s lengths, and needs no Ping-From', async () => {
    const site = await startApp();
    const url = `${LOG_CTA_PATH}?event=hero_cta_click&referrer=${'r'.repeat(500)}`;
    const answer = await postClick(site, 'PING', { ...PING, 'user-agent': 'u'.repeat(3000) }, url);
    expect(answer.statusCode).toBe(200);
    const [line] = site.lines();
    expect(line?.referrer).toHaveLength(MAX_REFERRER);
    expect(line?.user_agent).toHaveLength(MAX_USER_AGENT);
    expect(line?.page_url).toMatch(/^http:\/\//);
  });

  test('without a known event is rejected', async () => {
    const site = await startApp();
    const answer = await postClick(site, 'PING', PING);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.fields).toHaveProperty('event');
  });
});

test('a thousand generated bodies never cause a 5xx or a malformed line', async () => {
  const site = await startApp({ env: { RATE_LIMIT_CLICKS: '0' } });
  const answers = await Promise.all(
    fc.sample(anyBody, 1000).map(async (body) => {
      const answer = await postClick(site, body);
      return { body, status: answer.statusCode, answer: answer.json() };
    }),
  );
  const wrong = answers.filter(({ status, answer }) => status !== 200 && !answer.error?.code);
  expect(wrong).toEqual([]);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const logged = answers.filter(({ status }) => status === 200);
  expect(logged.length).toBeGreaterThan(100);
  expect(site.lines()).toHaveLength(logged.length);
});
