/** The client against the stand-in, with several attempts. */
import { describe, expect, test } from 'vitest';
import { play } from '../../../helpers/fakes/play-capture.ts';
import type { Step } from '../../../helpers/fakes/posthog-capture/script.ts';

describe('with several attempts', () => {
  test('13: only events with `retry` go again, with the same ids and times', async () => {
    const { posthog, result, verdicts, bodies, sent } = await play({
      events: 3,
      steps: [{ verdicts: ['ok', 'retry:not_persisted', 'drop:rejected'] }],
      options: { maxAttempts: 4 },
    });
    expect(verdicts).toEqual(['ok', 'ok', 'drop:rejected']);
    expect(result.outcomes.map(({ attempts }) => attempts)).toEqual([1, 2, 1]);
    const [first, second] = posthog.requests.map(({ headers }) => headers);
    expect(second?.['posthog-attempt']).toBe('2');
    expect(second?.['posthog-request-id']).toBe(first?.['posthog-request-id']);
    expect(bodies[1].created_at).toBe(bodies[0].created_at);
    expect(bodies[1].batch).toEqual([bodies[0].batch[1]]);
    expect(posthog.merged()).toMatchObject([sent[0], sent[1]]);
  });

  test('14: a `retry` without end stops after the limit', async () => {
    const { posthog, verdicts, waits } = await play({
      steps: Array(9).fill({ verdicts: ['retry:not_persisted'] }),
      options: { maxAttempts: 4 },
    });
    expect(verdicts).toEqual(['retry:not_persisted']);
    expect(posthog.requests).toHaveLength(4);
    expect(waits).toHaveLength(3);
    for (const [i, ms] of waits.entries()) expect(ms).toBeGreaterThanOrEqual(500 * 2 ** i);
  });

  const inThreeSeconds = () => new Date(Date.now() + 3000).toUTCString();
  test.each<[string, Step, number, number]>([
    ['on 200', { verdicts: ['retry'], headers: { 'retry-after': '3' } }, 3000, 3000],
    ['on 503', { status: 503, headers: { 'retry-after': '3' } }, 3000, 3000],
    ['as a date', { status: 503, headers: { 'retry-after': inThreeSeconds() } }, 500, 3000],
    ['if it is absurd', { status: 503, headers: { 'retry-after': '9999' } }, 30_000, 30_000],
    [
      'if it is a date long ago',
      { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' } },
      500,
      1000,
    ],
    ['if it is not a time', { status: 503, headers: { 'retry-after': 'soon' } }, 500, 1000],
    [
      '20: on 429',
      { status: 429, tag: 'rate_limited', headers: { 'retry-after': '3' } },
      3000,
      3000,
    ],
  ])('15: Retry-After counts %s', async (_name, step, atLeast, atMost) => {
    const { verdicts, waits } = await play({ steps: [step], options: { maxAttempts: 2 } });
    expect(verdicts).toEqual(['ok']);
    expect(waits[0]).toBeGreaterThanOrEqual(atLeast);
    expect(waits[0]).toBeLessThanOrEqual(atMost);
  });

  test('15: the caller gets the time that PostHog names', async () => {
    const { result } = await play({ steps: [{ status: 503, headers: { 'retry-after': '7' } }] });
    expect(result.retryAfterMs).toBe(7000);
  });

  test('16: faults that pass end well', async () => {
    const statuses = [408, 500, 503, 503, 504];
    const { verdicts, posthog } = await play({
      steps: statuses.map((status) => ({ status })),
      options: { maxAttempts: 6 },
    });
    expect(verdicts).toEqual(['ok']);
    expect(posthog.requests).toHaveLength(6);
  });

  test('18: when the quota is back, the events are stored', async () => {
    const { capture, posthog, sent } = await play({ world: { isOverQuota: true } });
    posthog.world.isOverQuota = false;
    const { outcomes } = await capture.send(sent);
    expect(outcomes).toMatchObject([{ verdict: 'ok' }]);
  });

  test.each<[string, Step]>([
    ['23: an unnamed event', { verdicts: [null] }],
    ['26: a lost answer', { ending: 'cut' }],
    ['27: `retry` although it is stored', { verdicts: ['retry'], copies: 1 }],
    ['25: half a JSON', { body: '{"results":{', copies: 1 }],
    ['a doubled event', { copies: 2, ending: 'cut' }],
  ])('%s is sent again, and counts once', async (_name, step) => {
    const { posthog, verdicts } = await play({ steps: [step], options: { maxAttempts: 2 } });
    expect(verdicts).toEqual(['ok']);
    expect(posthog.events.length).toBeGreaterThan(1);
    expect(posthog.merged()).toHaveLength(1);
  });
});
