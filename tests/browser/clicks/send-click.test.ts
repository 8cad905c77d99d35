/** Tests how the browser handles the real server's answers. */
import { expect, onTestFinished, test } from 'vitest';
import { type Outcome, sendClick } from '#browser/clicks/send-click.ts';
import type { CtaEvent } from '#contract/cta.ts';
import { clickAt } from '../../helpers/fakes/clicks.ts';
import { startLocalServer } from '../../helpers/server/local-server.ts';
import { type Site, startApp } from '../../helpers/server/server-app.ts';

type Change = (request: { headers: Record<string, string>; body: string }) => void;

/** Sends a click through the real app. @param change changes the request in transit */
function send(site: Site, click = clickAt(Date.now()), change: Change = () => {}) {
  const fetch = async (url: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = {
      headers: init?.headers as Record<string, string>,
      body: String(init?.body),
    };
    change(request);
    const { headers, body: payload } = request;
    const answer = await site.app.inject({ method: 'POST', url: String(url), headers, payload });
    const { statusCode: status, body } = answer;
    return new Response(body, { status, headers: answer.headers as Record<string, string> });
  };
  return sendClick(click, 0, { fetch, now: Date.now, abort: new AbortController() });
}

test('a click that the server logs is confirmed, and so is its repetition', async () => {
  const site = await startApp();
  const click = clickAt(Date.now());
  expect(await send(site, click)).toEqual({ kind: 'logged' });
  expect(await send(site, click)).toEqual({ kind: 'logged' });
  expect(await site.rows('SELECT id FROM clicks')).toEqual([{ id: click.id }]);
});

test('a click of a browser whose clock is a month ahead is logged, once for the server’s day', async () => {
  const site = await startApp();
  const click = clickAt(Date.now() + 30 * 24 * 3_600_000);
  expect(await send(site, click)).toEqual({ kind: 'logged' });
  expect(await send(site, click)).toEqual({ kind: 'logged' });
  const clicked_at = Date.parse(click.timestamp);
  expect(await site.rows('SELECT clicked_at FROM clicks')).toEqual([{ clicked_at }]);
});

test('a click on a call to action that the server does not know yet is kept by both, once', async () => {
  const site = await startApp();
  const click = { ...clickAt(Date.now()), event: 'middle_cta_click' as CtaEvent };
  expect(await send(site, click)).toEqual({ kind: 'retry', afterMs: 0 });
  expect(await send(site, click)).toEqual({ kind: 'retry', afterMs: 0 });
  const kept = [{ id: click.id, event: 'middle_cta_click' }];
  expect(await site.rows('SELECT id, event FROM clicks')).toEqual(kept);
});

const REFUSED: Record<string, Change> = {
  'a click that is not valid': (request) => {
    request.body = request.body.replace('hero_cta_click', 'other_click');
  },
  'text that is not JSON': (request) => {
    request.body = '{';
  },
  'an empty body': (request) => {
    request.body = '';
  },
  'a body that is too large': (request) => {
    request.body = request.body.replace('{', `{"x":"${'x'.repeat(5000)}",`);
  },
  'another type': (request) => {
    request.headers['content-type'] = 'text/html';
  },
};
test('what can never be a click is refused for good', async () => {
  const site = await startApp();
  for (const [name, change] of Object.entries(REFUSED)) {
    expect(await send(site, clickAt(Date.now()), change), name).toEqual({ kind: 'refused' });
  }
  expect(await site.rows('SELECT id FROM clicks')).toEqual([]);
});

test('a click over the rate limit is tried again, when the server says so', async () => {
  const site = await startApp({ env: { RATE_LIMIT: '1' } });
  const outcomes: Outcome[] = [];
  for (let n = 0; n < 2; n++) outcomes.push(await send(site, clickAt(Date.now())));
  expect(outcomes).toEqual([{ kind: 'logged' }, { kind: 'retry', afterMs: expect.any(Number) }]);
  expect((outcomes[1] as { afterMs: number }).afterMs).toBeGreaterThan(0);
});

test('a redirect is not followed, because a captive portal would receive the click', async () => {
  const asked: string[] = [];
  const portal = await startLocalServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(307, { location: '/sign-in' }).end();
  });
  onTestFinished(portal.close);
  const origin = `http://127.0.0.1:${portal.port}`;
  const outcome = await sendClick(clickAt(Date.now()), 0, {
    fetch: (url, init) => fetch(new URL(String(url), origin), init),
    now: Date.now,
    abort: new AbortController(),
  });
  expect(outcome).toEqual({ kind: 'retry', afterMs: 0 });
  expect(asked).toEqual(['/api/log-cta']);
});
