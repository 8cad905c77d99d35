/** Batches that PostHog refuses in part, and what every request carries. */
import { describe, expect, test } from 'vitest';
import { eventOf, eventsOf, play } from '../../../helpers/fakes/play-capture.ts';

describe('a batch that PostHog refuses because of its events', () => {
  test.each([true, false])('31: is halved when it is too large (V1: %s)', async (hasV1) => {
    const tooLarge = { status: 413, tag: hasV1 ? 'payload_too_large' : 'maximum event size' };
    const { posthog, verdicts } = await play({
      events: 5,
      world: { hasV1 },
      steps: hasV1 ? [tooLarge, tooLarge] : [{}, tooLarge],
    });
    expect(new Set(verdicts)).toEqual(new Set([hasV1 ? 'ok' : 'accepted']));
    expect(posthog.merged()).toHaveLength(5);
    expect(posthog.events).toHaveLength(5);
  });

  test.each([1, 4, 7])(
    '31: on /batch/, one faulty event (at %s) does not hold up the others',
    async (place) => {
      const events = eventsOf(8).map((event, n) => (n === place ? { ...event, event: '' } : event));
      const { posthog, verdicts, result } = await play({ events, world: { hasV1: false } });
      expect(verdicts).toEqual(events.map((_, n) => (n === place ? 'retry:http_400' : 'accepted')));
      expect(posthog.merged()).toHaveLength(7);
      expect(result.trouble).toBe(null);
    },
  );

  test('never makes more than a bounded number of requests', async () => {
    const { posthog, verdicts } = await play({
      events: 500,
      steps: Array(999).fill({ status: 413, body: 'a firewall' }),
    });
    expect(new Set(verdicts)).toEqual(new Set(['retry:http_413']));
    expect(posthog.requests.length).toBeLessThanOrEqual(41);
  });

  test('8: a repeated UUID goes in a request of its own', async () => {
    const again = eventOf(1, { event: '$pageview', uuid: eventOf(1).uuid.toUpperCase() });
    const { posthog, verdicts } = await play({ events: [eventOf(1), again, eventOf(2)] });
    expect(verdicts).toEqual(['ok', 'ok', 'ok']);
    expect(posthog.merged()).toHaveLength(3);
  });

  test('8: an invalid UUID is refused without a request', async () => {
    const { posthog, verdicts } = await play({ events: [eventOf(1, { uuid: 'x' }), eventOf(2)] });
    expect(verdicts).toEqual(['drop:invalid_event_uuid', 'ok']);
    expect(posthog.requests).toHaveLength(1);
  });
});

test('33: only a historical batch is marked', async () => {
  for (const hasV1 of [true, false]) {
    const marked = await play({ world: { hasV1 }, options: { historical: true } });
    expect(marked.posthog.events).toMatchObject([{ historical: true }]);
    const plain = await play({ world: { hasV1 } });
    expect(plain.bodies.at(-1)).not.toHaveProperty('historical_migration');
  }
});

test.each([-2, 2, 30])('34, 35: a clock that is %s hours wrong shifts no event', async (hours) => {
  const offset = hours * 60 * 60 * 1000;
  const timestamp = new Date(Date.now() + offset).toISOString();
  for (const hasV1 of [true, false]) {
    const { posthog } = await play({
      events: [eventOf(1, { timestamp })],
      world: { hasV1 },
      settings: { now: () => Date.now() + offset },
    });
    expect(posthog.events).toMatchObject([{ timestamp }]);
  }
});

test('36: more than 10 MiB goes in halves', async () => {
  const long = { text: 'x'.repeat(900_000) };
  const events = Array.from({ length: 14 }, (_, n) => eventOf(n, { properties: long }));
  const { posthog, verdicts } = await play({ events });
  expect(new Set(verdicts)).toEqual(new Set(['ok']));
  expect(posthog.requests).toHaveLength(3);
});

test('37: two processes that send the same batch make one event of each', async () => {
  const { capture, posthog, sent } = await play({ events: 3 });
  await Promise.all([capture.send(sent), capture.send(sent)]);
  expect(posthog.events).toHaveLength(9);
  expect(posthog.merged()).toHaveLength(3);
});

test('the header names the visitor’s browser, if the caller does', async () => {
  for (const hasV1 of [true, false]) {
    const { posthog } = await play({ world: { hasV1 }, options: { userAgent: 'Firefox' } });
    expect(posthog.requests.at(-1)?.headers).toMatchObject({ 'user-agent': 'Firefox' });
  }
});

test('a PostHog that cannot be reached is away', async () => {
  const { capture, posthog, sent } = await play({});
  await posthog.close();
  const { outcomes, trouble } = await capture.send(sent);
  expect(outcomes).toMatchObject([{ verdict: 'retry', detail: 'unreachable' }]);
  expect(trouble?.message).toMatch(/cannot be reached\.$/);
});
