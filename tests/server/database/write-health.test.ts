/** Whether a server can write: its probes and its messages, by a clock of the test. */
import { beforeEach, expect, test, vi } from 'vitest';
import { DatabaseFault, type Row } from '../../../server/database/database.ts';
import { watchWrites } from '../../../server/database/write-health.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));

const LOCKED = new DatabaseFault('database is locked', 'sqlite-5');
const FULL = new DatabaseFault('database or disk is full', 'sqlite-13');

/** @param answer of the database to a probe */
function watch(answer: () => Promise<Row[]> = async () => []) {
  const probe = vi.fn(answer);
  const messages: string[] = [];
  const note = (text: string) => void messages.push(text);
  const db = { transaction: probe as never };
  const health = watchWrites({ db, server: 'a', log: { error: note, info: note } });
  return { health, probe, messages };
}

test('before its first commit or probe a server is not ready, and takes clicks', async () => {
  const { health } = watch();
  expect(health.whyNotReady()?.message).toBe('The server has started, and has not written yet.');
  expect(health.fault()).toBeNull();
  await health.probeIfQuiet();
  expect(health.whyNotReady()).toBeNull();
});

test.each([
  { name: 'just below 5 s ago', ms: 4_999, probes: 0 },
  { name: '5 s ago', ms: 5_000, probes: 1 },
])('after a commit $name there are $probes probes', async ({ ms, probes }) => {
  const { health, probe } = watch();
  health.succeeded();
  vi.advanceTimersByTime(ms);
  await health.probeIfQuiet();
  expect(probe).toHaveBeenCalledTimes(probes);
});

test('a probe is the commit after which the server is quiet', async () => {
  const { health, probe } = watch();
  await health.probeIfQuiet();
  vi.advanceTimersByTime(4_999);
  await health.probeIfQuiet();
  expect(probe).toHaveBeenCalledTimes(1);
});

test('after a fault the server probes also right after a commit, and its success ends the fault', async () => {
  const { health, probe } = watch();
  health.succeeded();
  health.failed(LOCKED);
  expect([health.fault(), health.whyNotReady()]).toEqual([LOCKED, LOCKED]);
  await health.probeIfQuiet();
  expect(probe).toHaveBeenCalledTimes(1);
  expect([health.fault(), health.whyNotReady()]).toEqual([null, null]);
});

test('a database that hangs gets one probe, not one more each time', async () => {
  const hanging = Promise.withResolvers<Row[]>();
  const { health, probe } = watch(() => hanging.promise);
  const probes = [health.probe(), health.probeIfQuiet(), health.probe()];
  expect(probe).toHaveBeenCalledTimes(1);
  hanging.reject(LOCKED);
  await Promise.all(probes);
  expect(health.fault()).toBe(LOCKED);
  await health.probe();
  expect(probe).toHaveBeenCalledTimes(2);
});

test('each reason is logged once, and so is the end', async () => {
  const { health, messages } = watch();
  for (const cause of [LOCKED, LOCKED, FULL]) health.failed(cause);
  await health.probe();
  health.succeeded();
  health.failed(LOCKED);
  expect(messages).toEqual([
    'Clicks cannot be kept: database is locked',
    'Clicks cannot be kept: database or disk is full',
    'Clicks are kept again',
    'Clicks cannot be kept: database is locked',
  ]);
});

test('its end waits for the probe under way', async () => {
  const answer = Promise.withResolvers<Row[]>();
  const { health } = watch(() => answer.promise);
  void health.probe();
  let isClosed = false;
  const closed = health.close().then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  answer.resolve([]);
  await closed;
});
