import { expect, test } from 'vitest';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

const ASK = '?email=planted@visitor.example';

async function answersOf(env: Record<string, string>) {
  const { app, logged } = await startApp({ env: { TRUST_PROXY: '1', ...env } });
  const headers = { 'x-forwarded-for': '203.0.113.77', referer: `https://site.example/${ASK}` };
  const requests = [
    { method: 'POST', url: `/api/log-cta${ASK}`, payload: makeBody() },
    { method: 'POST', url: '/api/log-cta', payload: {} },
    { method: 'GET', url: `/r/planted${ASK}` },
    { method: 'GET', url: `/assets/app.3Hrwr8nA.js${ASK}` },
    { method: 'GET', url: `/planted/nothing${ASK}` },
    { method: 'DELETE', url: `/planted${ASK}` },
  ] as const;
  for (const request of requests) await app.inject({ ...request, headers });
  return logged().filter(({ msg }) => msg === 'Answered');
}

test('ACCESS_LOG=on writes one line per request, with nothing of the visitor', async () => {
  const lines = await answersOf({ ACCESS_LOG: 'on' });
  // The helper also compares each line with the schema, and looks for planted data.
  expect(lines.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
    'POST /api/log-cta 200',
    'POST /api/log-cta 400',
    'GET /r/* 302',
    'GET /* 200',
    'GET unknown 404',
    'DELETE unknown 404',
  ]);
  for (const line of lines) {
    expect(Object.keys(line).sort()).toEqual(
      [
        'level',
        'time',
        'pid',
        'hostname',
        'method',
        'route',
        'status',
        'duration_ms',
        'req_id',
        'msg',
      ].sort(),
    );
    expect(line.duration_ms).toBeGreaterThan(0);
  }
});

test('there is no such line by default', async () => {
  expect(await answersOf({})).toEqual([]);
});
