import { expect, test } from 'vitest';
import { statsSchema } from '#contract/stats.schema.ts';
import { makeBody, startApp } from '../../helpers/server-app.ts';

test('counts clicks per call to action, each once, over restarts', async () => {
  const site = await startApp();
  const read = async (from = site) =>
    statsSchema.parse((await from.app.inject('/api/stats')).json());
  expect(await read()).toEqual({
    clicks: { total: 0, by_event: { hero_cta_click: 0, lower_cta_click: 0 } },
  });

  const id = '019c1234-5678-7abc-8def-0123456789ab';
  const bodies = [{ id }, { id }, {}, { event: 'lower_cta_click' }, { event: 'none' }];
  for (const parts of bodies) {
    await site.app.inject({ method: 'POST', url: '/api/log-cta', payload: makeBody(parts) });
  }
  const expected = { clicks: { total: 3, by_event: { hero_cta_click: 2, lower_cta_click: 1 } } };
  expect(await read()).toEqual(expected);

  await site.close();
  expect(await read(await startApp({ dataDir: site.config.dataDir }))).toEqual(expected);
});

test('is limited, and never kept by a cache', async () => {
  const site = await startApp({ env: { RATE_LIMIT_OTHER: '1' } });
  const first = await site.app.inject('/api/stats');
  expect(first.headers['cache-control']).toBe('no-store');
  expect((await site.app.inject('/api/stats')).statusCode).toBe(429);
});

test('health tells that clicks can be kept', async () => {
  const { app } = await startApp();
  const answer = await app.inject('/healthz');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({ status: 'ready' });
});
