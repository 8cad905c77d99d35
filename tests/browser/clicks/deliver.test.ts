import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Answer, openTab, type Tab, World } from '../../helpers/fakes/delivery-world.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 31) }));

/** Fires every timer up to then, and runs the promises that follow. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Opens a tab whose clicks wait, because the network was away. */
async function openWaiting(clicks = 1, world = new World()): Promise<{ world: World; tab: Tab }> {
  world.isDown = true;
  const tab = openTab(world);
  for (let n = 0; n < clicks; n++) {
    tab.click();
    // Ids of one millisecond have no order, and tests rely on which click failed last.
    await pass(1);
  }
  await pass(2000);
  world.isDown = false;
  world.requests = 0;
  return { world, tab };
}

describe('a click whose request is on its way when the page closes', () => {
  /** A click that the server has taken, or whose request still waits for it. */
  const pressAndHide = (hasKeepalive: boolean) => {
    const world = new World();
    Object.assign(world, { hasKeepalive, answers: [{ status: 200, isSilent: true }] });
    const tab = openTab(world);
    return { world, tab, ...tab.click() };
  };

  test('is a beacon too where the request ends with the page, once for all events of the closing', async () => {
    const { world, tab, id } = pressAndHide(false);
    await pass(1);
    tab.delivery.flush();
    tab.delivery.flush();
    expect(world.beacons).toMatchObject([{ id, sent_at: expect.any(String) }]);
    // The tab stays open after all, and the request gets no answer.
    await pass(20_000);
    expect(tab.outbox.list()).toEqual([]);
  });

  test('is no beacon where the request outlives the page, nor after an answer', async () => {
    const kept = pressAndHide(true);
    await pass(1);
    kept.tab.delivery.flush();
    expect(kept.world.beacons).toEqual([]);
    const world = new World();
    world.hasKeepalive = false;
    const tab = openTab(world);
    tab.click();
    await pass(1);
    tab.delivery.flush();
    expect([world.received.length, world.beacons]).toEqual([1, []]);
  });

  test('is no beacon once the visitor has opted out', async () => {
    const { world, tab } = pressAndHide(false);
    await pass(1);
    tab.delivery.discard();
    tab.delivery.flush();
    expect(world.beacons).toEqual([]);
  });
});

describe('a fresh click', () => {
  test('is sent at once, with the time of sending, and leaves the outbox when confirmed', async () => {
    const world = new World();
    const tab = openTab(world);
    const { id } = tab.click();
    await pass(1);
    expect(world.received).toEqual([
      expect.objectContaining({ id, ip: null, sent_at: expect.any(String) }),
    ]);
    expect(tab.outbox.list()).toEqual([]);
  });

  test('waits for the address, but not longer than 300 ms', async () => {
    const world = new World();
    world.lookupMs = 200;
    openTab(world).click();
    await pass(199);
    expect(world.received).toEqual([]);
    await pass(1);
    expect(world.received[0]?.ip).toBe('203.0.113.7');
    world.lookupMs = 900;
    openTab(world).click();
    await pass(300);
    expect(world.received[1]?.ip).toBeNull();
  });

  test('does not wait while the page loads, because it may close without an event', async () => {
    const world = new World();
    world.lookupMs = 200;
    world.isLoaded = false;
    openTab(world).click();
    await pass(1);
    expect(world.received).toHaveLength(1);
  });

  test('does not wait when the page is about to close', async () => {
    const world = new World();
    world.lookupMs = 200;
    const tab = openTab(world);
    const { id } = tab.click();
    tab.delivery.flush();
    expect(world.beacons.map((beacon) => beacon.id)).toEqual([id]);
    expect(tab.outbox.has(id)).toBe(true);
    await pass(300);
    expect(tab.outbox.list()).toEqual([]);
  });
});

const bad = (code: string) => JSON.stringify({ error: { code, message: 'No.' } });
const ANOTHER_ID = '0199f2f0-0000-7000-8000-000000000000';

describe('an answer of', () => {
  test.each<Answer>([
    ...[408, 429, 500, 502, 503, 504].map((status) => ({ status })),
    // A firewall's challenge, a half-finished deployment, a request that was damaged in transit.
    ...[401, 403, 404, 405, 410, 422].map((status) => ({ status })),
    { status: 400, body: bad('bad_request') },
    { status: 413, body: '<html>413 Request Entity Too Large</html>', type: 'text/html' },
    { status: 415, body: '' },
    { status: 503, body: bad('validation_failed') },
    // A captive portal, a CDN's page, another service.
    { status: 200, body: '<!doctype html><title>Welcome to our Wi-Fi</title>', type: 'text/html' },
    { status: 200, body: '', type: 'text/plain' },
    { status: 200, body: 'null' },
    { status: 200, body: '{"status":"logged"}' },
    { status: 200, body: JSON.stringify({ status: 'logged', id: ANOTHER_ID }) },
    { status: 200, body: bad('validation_failed') },
    { status: 204 },
  ])('%j keeps the click, and it is sent again', async (answer) => {
    const world = new World();
    world.answers = [answer];
    const tab = openTab(world);
    tab.click();
    await pass(0);
    expect(tab.outbox.list()).toHaveLength(1);
    await pass(1000);
    expect(world.received).toHaveLength(1);
    expect(tab.outbox.list()).toEqual([]);
  });
});

test('a request without an answer ends after five seconds, and the click is sent again', async () => {
  const world = new World();
  world.answers = [{ status: 200, isSilent: true }];
  const tab = openTab(world);
  tab.click();
  await pass(4999);
  expect(world.requests).toBe(1);
  await pass(1001);
  expect(world.received).toHaveLength(1);
  expect(tab.outbox.list()).toEqual([]);
});

test('a click that a firewall never lets through does not hold up the others', async () => {
  const { world, tab } = await openWaiting(3);
  const [stuck, ...others] = tab.outbox.list();
  world.isStopped = (click) => click.id === stuck?.id;
  await pass(10 * 60_000);
  expect(world.ids()).toEqual(new Set(others.map(({ id }) => id)));
  expect(tab.outbox.list()).toEqual([stuck]);
});

test('of two tabs that become active together, one sends the waiting clicks', async () => {
  const { world, tab } = await openWaiting(5);
  tab.crash();
  const tabs = [openTab(world), openTab(world)];
  for (const { delivery } of tabs) delivery.retryNow();
  await pass(60_000);
  expect(world.ids().size).toBe(5);
  expect(world.requests).toBe(5);
});

test('Retry-After also holds back triggers and fresh clicks', async () => {
  const world = new World();
  world.answers = [{ status: 503, retryAfter: '60' }];
  const tab = openTab(world);
  tab.click();
  await pass(0);
  tab.delivery.retryNow();
  tab.click();
  await pass(59_000);
  expect(world.requests).toBe(1);
  await pass(10_000);
  expect(world.received).toHaveLength(2);
});

test('clicks dropped from a full outbox are reported once', async () => {
  const { world, tab } = await openWaiting(52);
  tab.delivery.retryNow();
  await pass(0);
  const reported = world.received.reduce((sum, body) => sum + (body.dropped ?? 0), 0);
  expect(reported).toBe(2);
  expect(world.ids().size).toBe(50);
});

test('a lock that another tab never releases does not delay a fresh click', async () => {
  const world = new World();
  world.lockHeldForEver();
  openTab(world).click();
  await pass(0);
  expect(world.received).toHaveLength(1);
});

test('without storage, a click whose fetch failed is sent as a beacon when the page closes', async () => {
  const { world, tab } = await openWaiting(1, new World(null));
  tab.delivery.flush();
  expect(world.beacons.map(({ id }) => id)).toEqual(tab.outbox.list().map(({ id }) => id));
  expect(world.beacons).toHaveLength(1);
});

describe('after the visitor has opted out', () => {
  test('a click under way is not sent again', async () => {
    const world = new World();
    world.answers = [{ status: 200, isSilent: true }];
    const tab = openTab(world);
    tab.click();
    await pass(0);
    tab.delivery.discard();
    await pass(3_600_000);
    tab.delivery.flush();
    expect(world.requests).toBe(1);
    expect(world.beacons).toEqual([]);
  });

  test('another tab sends nothing more, even if it has not been notified yet', async () => {
    const { world, tab } = await openWaiting(2);
    // While the first of the two is under way.
    world.isStopped = () => {
      world.hasOptedOut = true;
      return false;
    };
    tab.delivery.retryNow();
    await pass(3_600_000);
    tab.delivery.flush();
    expect([world.requests, world.beacons]).toEqual([1, []]);
  });

  test('a click that waits for the address in another tab is not sent', async () => {
    const world = new World();
    world.lookupMs = 200;
    openTab(world).click();
    world.hasOptedOut = true;
    await pass(300);
    expect(world.requests).toBe(0);
  });
});
