import { beforeEach, expect, test, vi } from 'vitest';
import { keepFragment } from '#browser/page/keep-fragment.ts';

beforeEach(() => vi.unstubAllGlobals());

test('the links to the other language lead to the section at which the visitor is', () => {
  const window = new EventTarget();
  const location = { hash: '#about' };
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('location', location);
  const link = { hash: '' };
  keepFragment([link as never]);
  expect(link.hash).toBe('#about');
  location.hash = '#register';
  window.dispatchEvent(new Event('hashchange'));
  expect(link.hash).toBe('#register');
});
