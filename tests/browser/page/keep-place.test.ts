import { beforeEach, expect, test, vi } from 'vitest';
import { keepPlace } from '#browser/page/keep-place.ts';

beforeEach(() => vi.unstubAllGlobals());

test('the links to the other language lead to the section at which the visitor is', () => {
  const window = new EventTarget();
  const location = { hash: '#about' };
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('location', location);
  const link = { hash: '' };
  keepPlace([link as never]);
  expect(link.hash).toBe('#about');
  location.hash = '#register';
  window.dispatchEvent(new Event('hashchange'));
  expect(link.hash).toBe('#register');
});
