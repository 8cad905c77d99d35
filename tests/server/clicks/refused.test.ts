/**
 * Refused requests to POST /api/log-cta: the answer names the fault, and refused-DATE.jsonl keeps
 * the body without the row.
 */
import { mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONVERTED_FIELDS, COPIED_FIELDS } from '#contract/click-fields.schema.ts';
import { CTA_EVENTS } from '#contract/cta.ts';
import { LOG_CTA_PATH, MAX_PAGE_URL, MAX_REFERRER, MAX_USER_AGENT } from '#contract/limits.ts';
import { MAX_CLICK_BODY_BYTES } from '../../../server/clicks/log-cta.ts';
import { dayOf } from '../../../server/time.ts';
import { makeBody, makeDataDir, makeFullBody, startApp } from '../../helpers/server/server-app.ts';

const start = () => startApp({ env: { RATE_LIMIT: '0' } });
const BEACON = { 'content-type': 'text/plain' };

/** Values that the contract refuses, by field. */
const WRONG: Record<string, unknown[]> = {
  event: [
    undefined,
    'other_click',
    'cta_click',
    '_cta_click',
    'Middle_cta_click',
    'middle-cta_click',
    'middle_cta_click\n',
    'middle_cta_click2',
    `${'m'.repeat(55)}_cta_click`,
  ],
  referrer: [undefined, {}, 'r'.repeat(MAX_REFERRER + 1)],
  ip: ['999.1.1.1', []],
  timestamp: ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000+01:00', 1],
  page_url: ['/about', 'javascript:alert(1)', `https://x.example/${'p'.repeat(MAX_PAGE_URL)}`],
  user_agent: [null, 'u'.repeat(MAX_USER_AGENT + 1)],
  is_mobile: ['true'],
  id: ['b9e5b6a2-7f0f-4c3c-9f2a-0a0b0c0d0e0f', 7],
  visit_id: ['me'],
  sent_at: ['now'],
};

test('a wrong value gets 400, and the answer names the field', async () => {
  const site = await start();
  const message = 'The click is not complete or not valid.';
  const tries = Object.entries(WRONG).flatMap(([field, values]) =>
    values.flatMap((value) => [{}, BEACON].map((headers) => ({ field, value, headers }))),
  );
  for (const { field, value, headers } of tries) {
    const answer = await site.postClick(makeBody({ [field]: value }), headers);
    expect(answer.statusCode).toBe(400);
    const fields = { [field]: expect.any(String) };
    expect(answer.json()).toEqual({ error: { code: 'validation_failed', message, fields } });
  }
  expect(await site.rows('SELECT id FROM clicks')).toEqual([]);
  expect(site.refused()).toHaveLength(tries.length);
});

/** Values that each of these fields leaves out, and those that a new field does. */
const ODD = [{}, [], null, 'a b', 0, 1.5, 65_536, { utm_source: 7 }];
const LEFT_OUT = Object.entries({ ...CONVERTED_FIELDS, ...COPIED_FIELDS }).filter(
  ([name]) => !(name in WRONG),
);

/** The line has the class of the site before the page in place of its host. */
const inLine = (name: string) => (name === 'referring_domain' ? 'referring_class' : name);

test('a wrong value in a field that describes the visit costs that field and not the click', async () => {
  const site = await start();
  const full = makeFullBody({ is_internal: true, is_automated: true });
  for (const [field, schema] of LEFT_OUT) {
    const wrong = ODD.filter((value) => schema.parse(value) === undefined || field === 'campaign');
    expect(wrong.length).toBeGreaterThan(4);
    for (const value of wrong) {
      const answer = await site.postClick({ ...full, id: undefined, [field]: value });
      expect(answer.statusCode).toBe(200);
      const line = site.lines().at(-1) ?? {};
      expect(Object.keys(full).filter((name) => !(inLine(name) in line))).toEqual([field]);
    }
  }
});

test('a body that is not a click gets 400, one above 4 KB gets 413, and other types get 415', async () => {
  const site = await start();
  for (const body of ['{"event":', '', 'null', '[]', '"text"', '7'])
    expect((await site.postClick(body)).statusCode).toBe(400);
  const large = await site.postClick(makeBody({ extra: 'x'.repeat(MAX_CLICK_BODY_BYTES) }));
  expect([large.statusCode, large.json().error.code]).toEqual([413, 'too_large']);
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
    const answer = await site.postClick(makeBody(), { 'content-type': type });
    expect([answer.statusCode, answer.json().error.code]).toEqual([415, 'unsupported_media_type']);
  }
  expect(site.refused().slice(-3)).toMatchObject([
    { reason: 'too_large', body: null },
    { reason: 'unsupported_media_type' },
    { reason: 'unsupported_media_type' },
  ]);
  expect(site.refused()).toHaveLength(9);
});

test('above the limit a click gets 429 with Retry-After, and refused ones count too', async () => {
  const site = await startApp({ env: { RATE_LIMIT: '2' } });
  expect((await site.postClick(makeBody())).statusCode).toBe(200);
  expect((await site.postClick(makeBody({ event: 'none' }))).statusCode).toBe(400);
  const last = await site.postClick(makeBody());
  expect([last.statusCode, last.json().error.code]).toEqual([429, 'rate_limited']);
  expect(last.headers['retry-after']).toMatch(/^\d+$/);
  expect([site.lines().length, site.refused().length]).toEqual([1, 1]);
});

test('a page of another site cannot send clicks; this site’s pages and a proxy’s can', async () => {
  const site = await start();
  const statuses: number[] = [];
  for (const from of ['cross-site', 'same-origin', 'same-site', 'none']) {
    const headers = { 'sec-fetch-site': from, origin: 'https://behind-a-proxy.example' };
    statuses.push((await site.postClick(makeBody(), headers)).statusCode);
  }
  expect(statuses).toEqual([403, 200, 200, 200]);
});

describe('refused-DATE.jsonl', () => {
  test('has the reason, the fields, and at most 1 KB of the body and 256 characters of the rest', async () => {
    const site = await start();
    const body = ` ${JSON.stringify(makeBody({ event: 'other_click' }))}`;
    await site.postClick(body);
    await site.postClick(`["${'x'.repeat(2000)}"]`, {}, `${LOG_CTA_PATH}?${'a'.repeat(8000)}`);
    const [whole, cut] = site.refused();
    expect(whole).toEqual({
      reason: 'validation_failed',
      fields: { event: `must be one of ${CTA_EVENTS.join(', ')}` },
      body,
      url: LOG_CTA_PATH,
      content_type: 'application/json',
      remote_ip: '127.0.0.1',
      received_at: expect.any(String),
    });
    expect([String(cut?.body).length, String(cut?.url).length]).toEqual([1024, 256]);
  });

  test('takes at most 10 MB a day, and clicks go on', async () => {
    const dataDir = makeDataDir();
    const file = join(dataDir, `refused-${dayOf(Date.now())}.jsonl`);
    writeFileSync(file, '');
    truncateSync(file, 10 * 1024 * 1024 - 1);
    const site = await startApp({ dataDir });
    for (let n = 0; n < 3; n += 1) await site.postClick('{}');
    // One line more than the limit, never two.
    expect(statSync(file).size).toBeLessThan(10 * 1024 * 1024 + 1024);
    expect((await site.postClick(makeBody())).statusCode).toBe(200);
  });

  test('is named once in the log while it cannot be written', async () => {
    const dataDir = makeDataDir();
    mkdirSync(join(dataDir, `refused-${dayOf(Date.now())}.jsonl`));
    const site = await startApp({ dataDir });
    for (let n = 0; n < 3; n += 1) await site.postClick('{}');
    const message = 'A refused click could not be written';
    expect(site.logged().filter(({ msg }) => msg === message)).toHaveLength(1);
  });

  test.each([
    { logIp: 'none', privacy: {}, remote_ip: null },
    { logIp: 'truncated', privacy: {}, remote_ip: '127.0.0.0' },
    { logIp: 'full', privacy: { 'sec-gpc': '1' }, remote_ip: null },
  ] as const)(
    'has the reason and the names of the fields, and no text of the client, with $logIp and $privacy',
    async ({ logIp, privacy, remote_ip }) => {
      const site = await startApp({ site: { logIp } });
      await site.postClick(
        { event: 'x', ip: '203.0.113.77' },
        privacy,
        `${LOG_CTA_PATH}?a=2001:db8::1`,
      );
      const [line] = site.refused();
      const fields = Object.keys(line?.fields ?? {});
      expect(fields).toContain('event');
      expect({ ...line, fields }).toEqual({
        reason: 'validation_failed',
        fields,
        remote_ip,
        received_at: expect.any(String),
      });
    },
  );
});
