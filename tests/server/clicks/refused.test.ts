/** Refused requests to POST /api/log-cta: the answer names the fault, and refused-DATE.jsonl keeps the body without the row. */
import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CTA_EVENTS } from '#contract/cta.ts';
import {
  LOG_CTA_PATH,
  MAX_CLICK_BODY_BYTES,
  MAX_PAGE_URL,
  MAX_REFERRER,
  MAX_USER_AGENT,
} from '#contract/limits.ts';
import { dayOf } from '../../../server/clicks/store-clicks.ts';
import { postClick } from '../../helpers/server/post-click.ts';
import { makeBody, makeDataDir, startApp } from '../../helpers/server/server-app.ts';

const start = () => startApp({ env: { RATE_LIMIT: '0' } });
const BEACON = { 'content-type': 'text/plain' };

/** Values that the contract refuses, by field. */
const WRONG: Record<string, unknown[]> = {
  event: [
    undefined,
    ...['other_click', 'cta_click', '_cta_click', 'Middle_cta_click', 'middle-cta_click'],
    ...['middle_cta_click\n', 'middle_cta_click2', `${'m'.repeat(55)}_cta_click`],
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
  dropped: [0, 1.5, 'x'],
};

test.each(Object.keys(WRONG))(
  'a wrong value in the field %s gets 400, and the answer names the field',
  async (field) => {
    const site = await start();
    for (const value of WRONG[field] ?? []) {
      for (const headers of [{}, BEACON]) {
        const answer = await postClick(site, makeBody({ [field]: value }), headers);
        expect([answer.statusCode, answer.json()]).toEqual([
          400,
          {
            error: {
              code: 'validation_failed',
              message: 'The click is not complete or not valid.',
              fields: { [field]: expect.any(String) },
            },
          },
        ]);
      }
    }
    expect(await site.rows('SELECT id FROM clicks')).toEqual([]);
    expect(site.refused()).toHaveLength(2 * (WRONG[field]?.length ?? 0));
  },
);

test.each(['campaign', 'referring_domain', 'screen_class', 'seq'])(
  'a wrong value in the field %s, which describes the visit, costs that field and not the click',
  async (field) => {
    const site = await start();
    const visit = { campaign: { utm_source: 'a' }, referring_domain: '', screen_class: 'small' };
    const wrongs = [{}, [], 'a b', null, 0, 1.5, 65_536, { utm_source: 'a b' }];
    for (const wrong of wrongs) {
      const body = makeBody({ ...visit, seq: 3, [field]: wrong });
      expect((await postClick(site, body)).statusCode).toBe(200);
    }
    const others = ['campaign', 'referring_domain', 'screen_class', 'seq'].filter(
      (name) => name !== field,
    );
    for (const line of site.lines()) {
      expect(line).not.toHaveProperty(field);
      for (const name of others) expect(line).toHaveProperty(name);
    }
    expect(site.lines()).toHaveLength(wrongs.length);
  },
);

test.each(['{"event":', '', 'null', '[]', '"text"', '7'])('the body %j gets 400', async (body) => {
  const site = await start();
  expect((await postClick(site, body)).statusCode).toBe(400);
  expect(site.refused()).toHaveLength(1);
});

test('a body above 4 KB gets 413, and other types get 415', async () => {
  const site = await start();
  const large = await postClick(site, makeBody({ extra: 'x'.repeat(MAX_CLICK_BODY_BYTES) }));
  expect([large.statusCode, large.json().error.code]).toEqual([413, 'too_large']);
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
    const answer = await postClick(site, makeBody(), { 'content-type': type });
    expect([answer.statusCode, answer.json().error.code]).toEqual([415, 'unsupported_media_type']);
  }
  expect(site.refused()).toMatchObject([
    { reason: 'too_large', body: null },
    { reason: 'unsupported_media_type' },
    { reason: 'unsupported_media_type' },
  ]);
});

test('above the limit a click gets 429 with Retry-After, and refused ones count too', async () => {
  const site = await startApp({ env: { RATE_LIMIT: '2' } });
  const answers = [
    await postClick(site, makeBody()),
    await postClick(site, makeBody({ event: 'none' })),
    await postClick(site, makeBody()),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 400, 429]);
  const [, , last] = answers;
  expect(last?.headers['retry-after']).toMatch(/^\d+$/);
  expect(last?.json().error.code).toBe('rate_limited');
  expect(site.lines()).toHaveLength(1);
  expect(site.refused()).toHaveLength(1);
});

test('a page of another site cannot send clicks; this site’s pages and a proxy’s can', async () => {
  const site = await start();
  const statuses: number[] = [];
  for (const from of ['cross-site', 'same-origin', 'same-site', 'none']) {
    const headers = { 'sec-fetch-site': from, origin: 'https://behind-a-proxy.example' };
    statuses.push((await postClick(site, makeBody(), headers)).statusCode);
  }
  expect(statuses).toEqual([403, 200, 200, 200]);
});

describe('refused-DATE.jsonl', () => {
  test('has the reason, the fields, and at most 1 KB of the body and 256 characters of the rest', async () => {
    const site = await start();
    const body = makeBody({ event: 'other_click' });
    await postClick(site, body);
    await postClick(site, `["${'x'.repeat(2000)}"]`, {}, `${LOG_CTA_PATH}?${'a'.repeat(8000)}`);
    const [whole, cut] = site.refused();
    expect(whole).toEqual({
      reason: 'validation_failed',
      fields: { event: `must be one of ${CTA_EVENTS.join(', ')}` },
      body: JSON.stringify(body),
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
    for (let n = 0; n < 3; n += 1) await postClick(site, '{}');
    // One line more than the limit, never two.
    expect(statSync(file).size).toBeLessThan(10 * 1024 * 1024 + 1024);
    expect((await postClick(site, makeBody())).statusCode).toBe(200);
  });
});
