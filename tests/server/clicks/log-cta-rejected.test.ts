import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { CTA_EVENTS } from '#contract/cta.ts';
import {
  ID_AHEAD,
  LOG_CTA_PATH,
  MAX_CLICK_BODY_BYTES,
  MAX_PAGE_URL,
  MAX_REFERRER,
  MAX_USER_AGENT,
} from '#contract/limits.ts';
import { postClick } from '../../helpers/server/post-click.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

describe('a malformed click', () => {
  const cases: [name: string, parts: Record<string, unknown>, field: string][] = [
    ['no event', { event: undefined }, 'event'],
    ['an unknown event', { event: 'other_click' }, 'event'],
    ['no referrer', { referrer: undefined }, 'referrer'],
    ['a long referrer', { referrer: 'r'.repeat(MAX_REFERRER + 1) }, 'referrer'],
    ['an ip that is none', { ip: '999.1.1.1' }, 'ip'],
    ['a time without milliseconds', { timestamp: '2026-01-31T09:30:00Z' }, 'timestamp'],
    ['a time elsewhere', { timestamp: '2026-01-31T09:30:00.000+01:00' }, 'timestamp'],
    ['a relative page', { page_url: '/about' }, 'page_url'],
    ['a script for a page', { page_url: 'javascript:alert(1)' }, 'page_url'],
    ['a long page', { page_url: `https://x.example/${'p'.repeat(MAX_PAGE_URL)}` }, 'page_url'],
    ['a long user agent', { user_agent: 'u'.repeat(MAX_USER_AGENT + 1) }, 'user_agent'],
    ['text for a boolean', { is_mobile: 'true' }, 'is_mobile'],
    ['an id of version 4', { id: 'b9e5b6a2-7f0f-4c3c-9f2a-0a0b0c0d0e0f' }, 'id'],
    ['a visit that is no id', { visit_id: 'me' }, 'visit_id'],
    ['a sending time that is none', { sent_at: 'now' }, 'sent_at'],
  ];
  test.each(cases)(
    'with %s is rejected, and the answer names the field',
    async (_name, parts, field) => {
      const site = await startApp();
      const answer = await postClick(site, makeBody(parts));
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({
        error: {
          code: 'validation_failed',
          message: 'The click is not complete or not valid.',
          fields: { [field]: expect.any(String) },
        },
      });
      expect(site.lines()).toEqual([]);
    },
  );

  test.each([
    ['more than a day ahead is rejected with its own code', 25, 400],
    ['less than a day ahead is taken', 23, 200],
  ])('with an id dated %s', async (_name, hours, status) => {
    const site = await startApp();
    const id = v7({ msecs: Date.now() + hours * 3_600_000 });
    // The schema writes ids in lower case.
    for (const spelling of [id, id.toUpperCase()]) {
      const answer = await postClick(site, makeBody({ id: spelling }));
      expect(answer.statusCode).toBe(status);
      if (status === 400) expect(answer.json().error.code).toBe(ID_AHEAD);
    }
    expect(site.lines()).toHaveLength(status === 200 ? 1 : 0);
  });

  test('is kept in refused.jsonl, with the reason', async () => {
    const site = await startApp();
    const body = makeBody({ event: 'other_click' });
    await postClick(site, body);
    expect(await site.rejected()).toEqual([
      {
        reason: 'validation_failed',
        fields: { event: `must be one of ${CTA_EVENTS.join(', ')}` },
        body: JSON.stringify(body),
        url: LOG_CTA_PATH,
        contentType: 'application/json',
        remote_ip: '127.0.0.1',
        received_at: expect.any(String),
      },
    ]);
  });

  test('leaves at most 256 characters of its address and its content type in refused.jsonl', async () => {
    const site = await startApp();
    await site.app.inject({
      method: 'POST',
      url: `${LOG_CTA_PATH}?${'a'.repeat(8000)}`,
      headers: { 'content-type': `text/${'b'.repeat(8000)}` },
      payload: 'x',
    });
    expect(await site.rejected()).toMatchObject([
      {
        url: `${LOG_CTA_PATH}?${'a'.repeat(255 - LOG_CTA_PATH.length)}`,
        contentType: `text/${'b'.repeat(251)}`,
      },
    ]);
  });

  test.each(['{"event":', '', 'null', '[]', '"text"', '7'])(
    'such as %j is rejected',
    async (body) => {
      const site = await startApp();
      const answer = await postClick(site, body);
      expect(answer.statusCode).toBe(400);
      expect(await site.rejected()).toHaveLength(1);
    },
  );

  test('is rejected with 413 if it is too large', async () => {
    const site = await startApp();
    const answer = await postClick(site, makeBody({ extra: 'x'.repeat(MAX_CLICK_BODY_BYTES) }));
    expect(answer.statusCode).toBe(413);
    expect(answer.json().error.code).toBe('too_large');
    expect(await site.rejected()).toMatchObject([{ reason: 'too_large', body: null }]);
  });

  test.each([
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ])('is rejected with 415 for the type %s', async (type) => {
    const site = await startApp();
    const answer = await postClick(site, makeBody(), { 'content-type': type });
    expect(answer.statusCode).toBe(415);
    expect(answer.json().error.code).toBe('unsupported_media_type');
  });
});

describe('a page of another site', () => {
  test('cannot send clicks', async () => {
    const site = await startApp();
    const answer = await postClick(site, makeBody(), { 'sec-fetch-site': 'cross-site' });
    expect(answer.statusCode).toBe(403);
    expect(site.lines()).toEqual([]);
  });

  test.each(['same-origin', 'same-site', 'none'])(
    'does not include Sec-Fetch-Site: %s',
    async (value) => {
      const site = await startApp();
      const headers = { 'sec-fetch-site': value, origin: 'https://behind-a-proxy.example' };
      expect((await postClick(site, makeBody(), headers)).statusCode).toBe(200);
    },
  );
});
