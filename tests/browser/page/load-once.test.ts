import { beforeEach, expect, test, vi } from 'vitest';
import { loadOnce } from '#browser/page/load-once.ts';

let window: EventTarget;
beforeEach(() => {
  window = new EventTarget();
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
});

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('many calls load once, also after the part has loaded', async () => {
  const load = vi.fn(async () => {});
  const start = loadOnce(load);
  start();
  start();
  await settled();
  start();
  expect(load).toHaveBeenCalledTimes(1);
});

test('after a failure the next call loads again', async () => {
  const load = vi.fn(async () => {});
  load.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const start = loadOnce(load);
  start();
  await settled();
  start();
  await settled();
  window.dispatchEvent(new Event('online'));
  expect(load).toHaveBeenCalledTimes(2);
});

test('after a failure the return of the network loads again', async () => {
  const load = vi.fn(async () => {});
  load.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  loadOnce(load)();
  await settled();
  window.dispatchEvent(new Event('online'));
  window.dispatchEvent(new Event('online'));
  expect(load).toHaveBeenCalledTimes(2);
});
