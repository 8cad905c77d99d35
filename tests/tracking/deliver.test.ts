import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTab, World } from '../helpers/delivery-world.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 31) }));
afterEach(() => void vi.useRealTimers());

/** Lets every timer up to then fire, and what follows from it happen. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a fresh click', () => {
  test('goes out at once, with the time it left, and leaves the outbox when confirmed', async () => {
    const world = new World();
    const tab = openTab(world);
    const click = tab.click();
    await pass(1);
    expect(world.received).toEqual([
      expect.objectContaining({ id: click.id, ip: null, sent_at: expect.any(String) }),
    ]);
    expect(tab.outbox.list()).toEqual([]);
  });

  test('waits for the address, but not longer than 300 ms', async () => {
    const world = new World();
    world.lookupMs = 200;
    const tab = openTab(world);
    tab.click();
    await pass(199);
    expect(world.received).toEqual([]);
    await pass(1);
    expect(world.received[0]?.ip).toBe('203.0.113.7');

    world.lookupMs = 900;
    openTab(world).click();
    await pass(300);
    expect(world.received[1]?.ip).toBeNull();
  });

  test('does not wait while the page is still loading: it may be closed without a word', async () => {
    const world = new World();
    world.lookupMs = 200;
    world.isLoaded = false;
    openTab(world).click();
    await pass(1);
    expect(world.received).toHaveLength(1);
  });

  test('does not wait at all when the page is going away', async () => {
    const world = new World();
    world.lookupMs = 200;
    const tab = openTab(world);
    const click = tab.click();
    tab.delivery.flush();
    expect(world.beacons.map((beacon) => beacon.id)).toEqual([click.id]);
    expect(tab.outbox.has(click.id)).toBe(true);
    await pass(300);
    expect(tab.outbox.list()).toEqual([]);
  });
});

describe('an answer of', () => {
  test.each([200, 201, 204, 400, 401, 403, 410, 413, 415, 422])('%d is final', async (status) => {
    const world = new World();
    world.answers = [{ status }];
    const tab = openTab(world);
    tab.click();
    await pass(3_600_000);
    expect(world.requests).toBe(1);
    expect(tab.outbox.list()).toEqual([]);
  });

  test.each([408, 429, 500, 502, 503, 504, 404])(
    '%d keeps the click, and it is sent again',
    async (status) => {
      const world = new World();
      world.answers = [{ status }];
      const tab = openTab(world);
      tab.click();
      await pass(0);
      expect(tab.outbox.list()).toHaveLength(1);
      await pass(1000);
      expect(world.received).toHaveLength(1);
      expect(tab.outbox.list()).toEqual([]);
    },
  );
});

test('a network that is away is tried again and again, less and less often', async () => {
  const world = new World();
  world.isDown = true;
  const tab = openTab(world);
  tab.click();
  await pass(10 * 60_000);
  const tries = world.requests;
  expect(tries).toBeGreaterThan(4);
  expect(tries).toBeLessThan(20);
  world.isDown = false;
  tab.delivery.wake();
  await pass(0);
  expect(world.received).toHaveLength(1);
});

test('Retry-After is honoured, by triggers and by fresh clicks too', async () => {
  const world = new World();
  world.answers = [{ status: 503, retryAfter: '60' }];
  const tab = openTab(world);
  tab.click();
  await pass(0);
  tab.delivery.wake();
  tab.click();
  await pass(59_000);
  expect(world.requests).toBe(1);
  await pass(10_000);
  expect(world.received).toHaveLength(2);
});

test('what an earlier page left is delivered by the next', async () => {
  const world = new World();
  world.isDown = true;
  const first = openTab(world);
  first.click();
  await pass(0);
  first.crash();
  world.isDown = false;
  openTab(world).delivery.wake();
  await pass(0);
  expect(world.received).toHaveLength(1);
});

test('clicks dropped from a full outbox are reported once', async () => {
  const world = new World();
  world.isDown = true;
  const tab = openTab(world);
  for (let i = 0; i < 52; i++) tab.click();
  await pass(2000);
  world.isDown = false;
  tab.delivery.wake();
  await pass(0);
  const reported = world.received.reduce((sum, body) => sum + (body.dropped ?? 0), 0);
  expect(reported).toBe(2);
  expect(world.ids().size).toBe(50);
});

test('a lock that another tab never gives back holds nothing up for a fresh click', async () => {
  const world = new World();
  world.lockHeldForEver();
  openTab(world).click();
  await pass(0);
  expect(world.received).toHaveLength(1);
});

test('without storage, a click whose fetch failed leaves as a beacon when the page goes', async () => {
  const world = new World({ storage: null });
  world.isDown = true;
  const tab = openTab(world);
  const click = tab.click();
  await pass(0);
  world.isDown = false;
  tab.delivery.flush();
  expect(world.beacons.map((beacon) => beacon.id)).toEqual([click.id]);
});
