/** The client against a PostHog that has only the older protocol. */
import { describe, expect, test } from 'vitest';
import { type Case, play } from '../../../helpers/fakes/play-capture.ts';
import type { World } from '../../../helpers/fakes/posthog-capture/world.ts';

describe('without V1', () => {
  test('21: goes to /batch/ for the rest of the run, and knows only that it was accepted', async () => {
    const { capture, posthog, result, sent, bodies } = await play({ world: { hasV1: false } });
    expect(result.outcomes).toMatchObject([
      { verdict: 'accepted', detail: null, protocol: 'batch', attempts: 2 },
    ]);
    await capture.send(sent);
    const paths = posthog.requests.map(({ path }) => path);
    expect(paths).toEqual(['/i/v1/analytics/events', '/batch/', '/batch/']);
    expect(bodies[1]).toEqual({
      api_key: 'phc_test',
      batch: [{ ...sent[0], properties: expect.objectContaining(sent[0]?.properties ?? {}) }],
    });
    expect(posthog.merged()).toMatchObject(sent);
  });

  test('21: V1 is tried again after an hour', async () => {
    let time = Date.now();
    const settings = { now: () => time };
    const { capture, posthog, sent } = await play({ world: { hasV1: false }, settings });
    posthog.world.hasV1 = true;
    expect((await capture.send(sent)).outcomes).toMatchObject([{ protocol: 'batch' }]);
    time += 60 * 60 * 1000;
    expect((await capture.send(sent)).outcomes).toMatchObject([{ protocol: 'v1', verdict: 'ok' }]);
  });

  test('22: 404 on both is one clear message', async () => {
    const { posthog, result, verdicts } = await play({
      world: { hasV1: false, hasV0: false },
      options: { maxAttempts: 4 },
    });
    expect(verdicts).toEqual(['retry:not_served']);
    expect(posthog.requests).toHaveLength(2);
    expect(result.trouble).toEqual({
      kind: 'refused',
      detail: 'not_served',
      message: `${posthog.url} answered 404 on /i/v1/analytics/events and on /batch/: is POSTHOG_HOST the ingestion host?`,
    });
  });

  const V0: Partial<World> = { hasV1: false };
  /** [case, script, verdict, trouble, stored events] */
  test.each<[string, Case, string, string | null, number]>([
    ['29: over quota', { world: { ...V0, isOverQuota: true } }, 'accepted', null, 0],
    [
      '29: over quota, which the answer names',
      { world: { ...V0, isOverQuota: true, quotaLimited: ['events'] } },
      ...(['accepted:quota_limited', 'over_quota', 0] as const),
    ],
    [
      '29: over the quota of recordings alone',
      { world: { ...V0, quotaLimited: ['recordings'] } },
      ...(['accepted', null, 1] as const),
    ],
    ['30: a key of no project', { world: { ...V0, project: 'phc_other' } }, 'accepted', null, 0],
    ['31: a refusal', { steps: [{}, { status: 400 }], world: V0 }, 'retry:http_400', 'refused', 0],
    ['31: a wrong key', { world: V0, settings: { key: 'phx_a' } }, 'retry:http_401', 'refused', 0],
    ['31: an outage', { steps: [{}, { status: 503 }], world: V0 }, 'retry:http_503', 'away', 0],
    [
      '31: over quota on an older server',
      { steps: [{}, { status: 429, tag: 'billing_limit_exceeded' }], world: V0 },
      ...(['retry:billing_limit_exceeded', 'over_quota', 0] as const),
    ],
    [
      '31: one event that is too large',
      { steps: [{}, { status: 413, tag: 'maximum event size exceeded: 9' }], world: V0 },
      ...(['drop:payload_too_large', null, 0] as const),
    ],
    [
      '25: an answer that is not PostHog’s',
      { steps: [{}, { body: '<html>' }], world: V0 },
      ...(['retry:unreadable_answer', 'unreadable', 0] as const),
    ],
  ])('%s', async (_name, played, verdict, trouble, stored) => {
    const { posthog, verdicts, result } = await play(played);
    expect(verdicts).toEqual([verdict]);
    expect(result.trouble?.kind ?? null).toBe(trouble);
    expect(posthog.events).toHaveLength(stored);
  });
});
