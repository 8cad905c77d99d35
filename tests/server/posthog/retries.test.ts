/** When an event is sent again: answers, delays and limits of the sender, by the test's clock. */
import { pino } from 'pino';
import { v7 } from 'uuid';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase, write } from '../../../server/database/database.ts';
import { makeEventOfRow, type PosthogEvent } from '../../../server/posthog/make-event.ts';
import { postBatch } from '../../../server/posthog/post-batch.ts';
import { createSender } from '../../../server/posthog/sender.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../server/time.ts';
import type { Step } from '../../helpers/fakes/posthog-capture.ts';
import { testCapture } from '../../helpers/server/posthog-site.ts';
import { clickRow, storeRows } from '../../helpers/server/rows.ts';
import { makeDataDir } from '../../helpers/server/server-app.ts';

const START = Date.parse('2026-03-01T10:00:00Z');
const NO_SIGNAL = new AbortController().signal;
const NOTHING: never[] = [];
const CLICK = clickRow(START);
const EVENT = makeEventOfRow({
  ...CLICK,
  uuid: CLICK.id,
  stored: null,
  attempts: 0,
}) as PosthogEvent;

/** A sender whose clock the test plays, with clicks that wait for PostHog's stand-in. */
async function start({ clicks, maxBatch }: { clicks: number; maxBatch?: number }) {
  const capture = await testCapture();
  const db = await openDatabase([], `${makeDataDir()}/site.db`);
  onTestFinished(() => db.close());
  const clock = { now: START };
  const store = async (count: number, columns = {}): Promise<string[]> => {
    const rows = Array.from({ length: count }, () =>
      clickRow(clock.now, { id: v7({ msecs: clock.now }), ...columns }),
    );
    await storeRows(db, rows, [], { toPosthog: true });
    await write(db, 'UPDATE posthog_outbox SET due_at = $1 WHERE attempts = 0', [clock.now]);
    return rows.map(({ id }) => id).sort();
  };
  const now = () => clock.now;
  const lines: string[] = [];
  let refused = 0;
  const project = { host: capture.url, key: 'phc_test', now };
  const sender = createSender({
    db,
    log: pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line).msg) }),
    onSettled: (settled) => {
      refused += settled.refused.length;
    },
    now,
    post: (events, signal) => postBatch(project, events, signal),
    maxBatch,
  });
  const send = () => sender.sendBatch(NO_SIGNAL);
  return {
    ids: await store(clicks),
    clock,
    capture,
    store,
    send,
    async sendAll() {
      while (await send());
    },
    arrived: () => capture.merged().map(({ uuid }) => uuid),
    warnings: () => lines,
    refused: () => refused,
    outbox: () =>
      db.read('SELECT uuid, attempts, due_at, refused FROM posthog_outbox ORDER BY uuid'),
  };
}

/** Answers that store nothing, and the fault that operators read. */
const BAD: [name: string, step: Step, fault: RegExp][] = [
  ['429', { status: 429 }, /answered 429$/],
  ['500', { status: 500, tag: 'internal_error' }, /answered 500 \(internal_error\)$/],
  ['401', { status: 401, tag: 'invalid_api_token' }, /answered 401 \(invalid_api_token\)$/],
  ['402', { status: 402, tag: 'billing_limit_exceeded' }, /answered 402 \(billing_limit_exce/],
  ['404', { status: 404, body: 'Not Found' }, /has no Capture V1 \(404 for .*does not serve it$/],
  ['a page', { status: 200, body: '<html>' }, /gave an answer that is not PostHog’s$/],
  ['no verdict', { body: '{"results":{}}' }, /^PostHog stored none of the events$/],
  ['a redirect', { status: 302, headers: { location: '/' } }, /answered 302$/],
  ['a cut connection', { ending: 'cut', copies: 0 }, /cannot be reached$/],
  ['half an answer', { ending: 'half', copies: 0 }, /cannot be reached$/],
  // It stored the event, but the sender cannot know that. PostHog merges the two copies.
  ['half an answer after it stored the event', { ending: 'half' }, /cannot be reached$/],
];

test('whatever PostHog answers, each click waits, and arrives once', async () => {
  const { ids, capture, store, send, sendAll, arrived, outbox } = await start({ clicks: 0 });
  for (const [name, step, fault] of BAD) {
    const [id = ''] = await store(1);
    ids.push(id);
    capture.play(step);
    await expect(send(), name).rejects.toThrow(fault);
    // An answer that stores nothing is no attempt of the event.
    expect(await outbox(), name).toMatchObject([{ uuid: id, attempts: 0, refused: null }]);
    await sendAll();
    expect(await outbox(), name).toEqual(NOTHING);
  }
  expect(arrived()).toEqual(ids);
});

test('clicks wait in their order, and are sent in batches of a limited size', async () => {
  const { capture, ids, store, clock, send, sendAll, arrived, outbox } = await start({
    clicks: 1,
    maxBatch: 2,
  });
  capture.world.isDown = true;
  for (let n = 0; n < 4; n += 1) {
    clock.now += 1;
    ids.push(...(await store(1)));
  }
  await expect(send()).rejects.toThrow('cannot be reached');
  expect(await outbox()).toHaveLength(5);
  capture.world.isDown = false;
  capture.requests.length = 0;
  await sendAll();
  expect(arrived()).toEqual(ids);
  expect(capture.events).toHaveLength(5);
  expect(capture.requests).toHaveLength(3);
});

/** Values of Retry-After, and the pause that the scheduler gets. */
const RETRY_AFTER = [
  { value: '7', pauseMs: 7 * SECOND_MS },
  { value: '86400', pauseMs: 5 * MINUTE_MS },
  { value: new Date(START + 40 * SECOND_MS).toUTCString(), pauseMs: 40 * SECOND_MS },
  { value: new Date(START + 90 * MINUTE_MS).toUTCString(), pauseMs: 5 * MINUTE_MS },
  { value: new Date(START - MINUTE_MS).toUTCString(), pauseMs: 0 },
  { value: 'soon', pauseMs: 0 },
];

test.each(RETRY_AFTER)('after Retry-After: $value the sender asks for $pauseMs ms', async (one) => {
  const capture = await testCapture();
  capture.play({ status: 503, headers: { 'retry-after': one.value } });
  const project = { host: capture.url, key: 'phc_test', now: () => START };
  const asked = postBatch(project, [EVENT], NO_SIGNAL);
  await expect(asked).rejects.toMatchObject({ retryAfterMs: one.pauseMs });
});

test('an answer that comes too late is a fault, and a stopping server breaks the request off', async () => {
  const capture = await testCapture();
  const project = { host: capture.url, key: 'phc_test', timeoutMs: 50 };
  capture.play({ ending: 'silent' }, { ending: 'silent' });
  await expect(postBatch(project, [EVENT], NO_SIGNAL)).rejects.toThrow('did not answer in time');
  const stop = new AbortController();
  const cut = postBatch({ ...project, timeoutMs: MINUTE_MS }, [EVENT], stop.signal);
  stop.abort();
  await expect(cut).rejects.toThrow('cannot be reached');
});

/** Delays of one event after the attempts 1 to 7. */
const DELAYS_S = [30, 60, 120, 240, 480, 600, 600];

describe('an event that PostHog asks for again', () => {
  test('is due after a delay that doubles up to 10 minutes', async () => {
    const { ids, clock, capture, send, outbox } = await start({ clicks: 1 });
    capture.world.unstorable.add(String(ids[0]));
    for (const [before, delayS] of DELAYS_S.entries()) {
      const dueAt = clock.now + delayS * SECOND_MS;
      // It is no fault of PostHog, although it is alone in its batch.
      expect(await send()).toBe(true);
      expect(await outbox()).toMatchObject([{ attempts: before + 1, due_at: dueAt }]);
      clock.now = dueAt - 1;
      expect(await send(), 'a millisecond before').toBe(false);
      clock.now = dueAt;
    }
  });

  test('is refused with the reason after seven days, counted, and named from the first attempt on', async () => {
    const { ids, clock, capture, send, outbox, warnings, refused } = await start({ clicks: 1 });
    const [stuck = ''] = ids;
    // PostHog was away for longer than that, which is no fault of the event.
    clock.now += 8 * DAY_MS;
    capture.world.unstorable.add(stuck);
    const begun = clock.now;
    await send();
    expect(warnings()).toEqual([`Events are put off: 1, such as ${stuck} (not_persisted)`]);
    clock.now = begun + MINUTE_MS;
    await send();
    expect(warnings()).toHaveLength(1);
    for (let hour = 1; hour <= 7; hour += 1) {
      clock.now = begun + hour * HOUR_MS;
      await send();
    }
    expect(warnings(), 'one of each hour').toHaveLength(8);
    clock.now = begun + 7 * DAY_MS - 1;
    await send();
    expect(await outbox()).toMatchObject([{ attempts: 10, refused: null }]);
    expect(refused()).toBe(0);
    clock.now += 10 * MINUTE_MS;
    await send();
    const reason = 'retry for 7 days: not_persisted';
    expect(await outbox()).toMatchObject([{ uuid: stuck, attempts: 11, refused: reason }]);
    expect(warnings().at(-1)).toBe(`PostHog refuses 1 events, such as ${stuck} (${reason})`);
    expect(refused()).toBe(1);
  });

  test('is not refused because PostHog was away for a week after its first attempt', async () => {
    const { ids, clock, capture, send, outbox, arrived } = await start({ clicks: 1 });
    const [stuck = ''] = ids;
    capture.world.unstorable.add(stuck);
    await send();
    clock.now += 8 * DAY_MS;
    await send();
    expect(await outbox()).toMatchObject([{ uuid: stuck, attempts: 2, refused: null }]);
    capture.world.unstorable.clear();
    clock.now += 10 * MINUTE_MS;
    await send();
    expect(arrived()).toEqual([stuck]);
  });

  test('is refused in the same way if no server knows the button of its click any more', async () => {
    const { clock, capture, store, send, outbox, refused } = await start({ clicks: 0 });
    const [id] = await store(1, { event: 'side_cta_click', is_known: true });
    for (let attempts = 1; attempts <= 10; attempts += 1) {
      await send();
      expect(await outbox()).toMatchObject([{ uuid: id, attempts, refused: null }]);
      clock.now += HOUR_MS;
    }
    clock.now += 7 * DAY_MS;
    await send();
    const reason = 'retry for 7 days: this server does not know the button';
    expect(await outbox()).toMatchObject([{ uuid: id, refused: reason }]);
    expect(refused()).toBe(1);
    expect(capture.requests).toEqual(NOTHING);
  });

  test('keeps no other event waiting', async () => {
    const { ids, capture, store, send, arrived, outbox } = await start({ clicks: 1 });
    const [stuck = ''] = ids;
    capture.world.unstorable.add(stuck);
    await send();
    const others = await store(2);
    await send();
    expect(arrived().sort()).toEqual(others);
    expect(await outbox()).toMatchObject([{ uuid: stuck, attempts: 1, refused: null }]);
  });

  test.each([
    ['asks for all events again', ['retry', 'retry']],
    ['names no event', [null, null]],
    ['does one or the other', [null, 'retry']],
  ])('counts no attempt if PostHog %s of the batch', async (_, verdicts) => {
    const { capture, send, outbox } = await start({ clicks: 2 });
    capture.play({ verdicts, copies: 0 });
    await expect(send()).rejects.toThrow('PostHog stored none of the events');
    expect(await outbox()).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
  });
});

test('an event that fails its whole batch is found by halving; the others arrive', async () => {
  const { ids, capture, sendAll, arrived, outbox } = await start({ clicks: 7 });
  const [bad = ''] = ids.splice(4, 1);
  capture.world.poisonous.add(bad);
  await sendAll();
  expect(await outbox()).toMatchObject([{ uuid: bad, refused: 'request_parsing_error' }]);
  expect(arrived().sort()).toEqual(ids);
});

test('after halving, the batches grow again', async () => {
  const { ids, capture, store, sendAll, arrived } = await start({ clicks: 8, maxBatch: 8 });
  capture.world.poisonous.add(String(ids[0]));
  await sendAll();
  capture.requests.length = 0;
  const later = await store(16);
  await sendAll();
  expect(arrived()).toEqual(expect.arrayContaining(later));
  // With batches of one event there would be 16 requests.
  expect(capture.requests.length).toBeLessThanOrEqual(5);
});
