import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openManagement } from '../../../../server/posthog/management/management-api.ts';
import { runQuery } from '../../../../server/posthog/management/run-query.ts';
import { KEY, PROJECT, startPosthogApi } from '../../../helpers/fakes/posthog-api/posthog-api.ts';
import {
  overQuota,
  type Reply,
  throttled,
  unavailable,
} from '../../../helpers/fakes/posthog-api/refusals.ts';

/** The client with a clock of its own, which only notes how long it would wait. */
async function startClient({ timeoutMs = 30_000 } = {}) {
  const posthog = await startPosthogApi();
  onTestFinished(posthog.close);
  const waits: number[] = [];
  const api = openManagement(
    { host: posthog.url, projectId: PROJECT, key: KEY },
    {
      fetch,
      now: () => Date.parse('2026-11-22T12:00:00Z'),
      random: () => 0.5,
      wait: async (ms) => void waits.push(ms),
      timeoutMs,
    },
  );
  const failWith = (act: Reply | 'drop', times: number, method = 'GET') =>
    posthog.failures.push(...Array.from({ length: times }, () => ({ method, path: /./, act })));
  return { posthog, api, waits, failWith };
}

const ANY = z.unknown();

describe('a read', () => {
  test('is tried five times, after longer and longer waits', async () => {
    const { api, waits, failWith } = await startClient();
    failWith(unavailable(503), 4);
    await expect(api.list('dashboards/', ANY)).resolves.toEqual([]);
    expect(waits).toEqual([500, 1000, 2000, 4000]);
    failWith(unavailable(503), 5);
    await expect(api.list('dashboards/', ANY)).rejects.toThrow('fails at present');
  });

  test('is repeated after a lost connection', async () => {
    const { api, failWith } = await startClient();
    failWith('drop', 2);
    await expect(api.list('dashboards/', ANY)).resolves.toEqual([]);
  });

  test.each([
    ['a number of seconds', '59', 59_000],
    ['a date', 'Sun, 22 Nov 2026 12:00:07 GMT', 7000],
  ])('waits as long as PostHog asks with %s', async (_form, value, ms) => {
    const { api, waits, failWith } = await startClient();
    failWith({ ...throttled(1), headers: { 'retry-after': value } }, 1);
    await api.list('dashboards/', ANY);
    expect(waits).toEqual([ms]);
  });

  test('without an answer ends after its time', async () => {
    const { api, posthog } = await startClient({ timeoutMs: 50 });
    posthog.failures.push(...Array(5).fill({ method: 'GET', path: /./, act: 'hang' }));
    await expect(api.get('dashboards/1/', ANY)).rejects.toThrow(/cannot be reached.*timeout/);
  });
});

test('a change is not repeated after a refusal', async () => {
  const { api, posthog, waits } = await startClient();
  await expect(api.change('dashboards/77/', {}, ANY)).rejects.toThrow('does not find it');
  expect({ requests: posthog.requests.length, waits }).toEqual({ requests: 1, waits: [] });
});

describe('a query', () => {
  const SELECT = 'select uniqExact(uuid) from events';

  test('asks for a new result, and names itself', async () => {
    const { api, posthog } = await startClient();
    posthog.results.push({ results: [['12']], columns: ['n'], hasMore: false, is_cached: false });
    const result = await runQuery(api, 'site: count', SELECT);
    expect(result).toEqual({ rows: [['12']], columns: ['n'], isCut: false, isCached: false });
    expect(posthog.requests[0]?.body).toEqual({
      query: { kind: 'HogQLQuery', query: SELECT },
      name: 'site: count',
      refresh: 'force_blocking',
    });
  });

  test('reports a cut or cached result, and no rows as no rows', async () => {
    const { api, posthog } = await startClient();
    posthog.results.push({ results: [], hasMore: true, is_cached: true });
    const result = await runQuery(api, 'site: count', SELECT);
    expect(result).toEqual({ rows: [], columns: [], isCut: true, isCached: true });
  });

  test.each([
    [
      'an error in the answer',
      { status: 200, body: { results: [], error: 'Unknown table' } },
      'Unknown table',
    ],
    ['an answer without rows', { status: 200, body: { results: null } }, 'is not as expected'],
    ['the quota', overQuota, 'plan or quota'],
    ['a wait of an hour', throttled(3600), 'asks to wait 3600 s'],
    ['a long query', unavailable(504), 'fails at present'],
  ])('fails with %s, in words', async (_what, act, message) => {
    const { api, posthog, failWith } = await startClient();
    failWith(act, 9, 'POST');
    await expect(runQuery(api, 'site: count', SELECT)).rejects.toThrow(message);
    expect(posthog.requests.length).toBeLessThanOrEqual(5);
  });
});
