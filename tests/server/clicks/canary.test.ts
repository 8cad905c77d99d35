/** Clicks with the canary's header, through the real app. */
import { expect, test } from 'vitest';
import { CANARY_HEADER, signCanary } from '../../../server/clicks/canary.ts';
import { newId } from '../../../server/database/new-id.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

const KEY = 'k'.repeat(32);
type App = Awaited<ReturnType<typeof startApp>>;

const post = ({ app }: App, body: object, signature?: string) =>
  app.inject({
    method: 'POST',
    url: '/api/log-cta',
    headers: {
      'content-type': 'application/json',
      ...(signature && { [CANARY_HEADER]: signature }),
    },
    payload: body,
  });

const signed = (ageMs = 0) => {
  const click = { id: newId(), timestamp: new Date(Date.now() - ageMs).toISOString() };
  return { body: makeBody(click), click, signature: signCanary(KEY, click) };
};
const totalOf = async ({ app }: App) => (await app.inject('/api/stats')).json().clicks.total;

test('a signed click is in the ledger with its marks, and no count has it', async () => {
  const site = await startApp({ env: { CANARY_KEY: KEY } });
  const { body, signature } = signed();
  const first = await post(site, body, signature);
  const second = await post(site, body, signature);
  expect([first.json().status, second.json().status]).toEqual(['logged', 'duplicate']);
  expect(first.headers['site-canary-proof']).toMatch(/^[\da-f]{64}$/);
  expect(second.headers['site-canary-proof']).not.toBe(first.headers['site-canary-proof']);
  expect(site.lines()).toMatchObject([{ id: body.id, canary: true, is_bot: true }]);
  await post(site, makeBody());
  expect(await totalOf(site)).toBe(1);
});

test.each([
  ['with another key', 'x'.repeat(32), {}, 0, 'does not fit'],
  ['for another click', KEY, { id: newId() }, 0, 'does not fit'],
  ['that is an hour old', KEY, {}, 3_600_000, 'differ by -3600 s'],
])('a mark %s is refused, and the click counts without it', async (_, key, other, ageMs, why) => {
  const site = await startApp({ env: { CANARY_KEY: KEY } });
  const { body, click } = signed(ageMs);
  const answer = await post(site, body, signCanary(key, { ...click, ...other }));
  expect(answer.statusCode).toBe(403);
  expect(answer.json().error).toMatchObject({
    code: 'canary_refused',
    message: expect.stringContaining(why),
  });
  expect(site.lines()).toEqual([]);
  expect((await post(site, body)).json().status).toBe('logged');
  expect(await totalOf(site)).toBe(1);
});

test('a mark in the body changes nothing: the click counts', async () => {
  const site = await startApp({ env: { CANARY_KEY: KEY } });
  await post(site, { ...makeBody(), canary: true, is_bot: true });
  expect(site.lines()).toMatchObject([{ is_bot: false }]);
  expect(site.lines()[0]).not.toHaveProperty('canary');
  expect(await totalOf(site)).toBe(1);
});

test('a server without CANARY_KEY refuses canaries', async () => {
  const site = await startApp();
  const { body, signature } = signed();
  expect((await post(site, body, signature)).json().error.message).toContain('no CANARY_KEY');
  expect(site.lines()).toEqual([]);
});
