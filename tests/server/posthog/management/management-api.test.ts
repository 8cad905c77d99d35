import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openManagement } from '../../../../server/posthog/management/management-api.ts';
import { KEY, PROJECT, startPosthogApi } from '../../../helpers/fakes/posthog-api/posthog-api.ts';
import { type Reply, throttled, unavailable } from '../../../helpers/fakes/posthog-api/refusals.ts';

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
