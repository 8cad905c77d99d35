import { beforeEach, expect, test, vi } from 'vitest';
import { announceToasts } from '#browser/page/announce-toasts.ts';
import { pageStore } from '#browser/page-store.ts';

const region = { textContent: '' };
const show = vi.fn();
announceToasts(region as never, show);

beforeEach(() => {
  pageStore.getState().removeToast();
  show.mockClear();
});

test('a toast is announced until it is dismissed, and is to be shown', () => {
  pageStore.getState().addToast({ title: 'Counting is off', description: 'No more counts.' });
  expect(region.textContent).toBe('Counting is off. No more counts.');
  expect(show).toHaveBeenCalledTimes(1);
  pageStore.getState().dismissToast();
  expect(region.textContent).toBe('');
});

test('a silent toast is shown and not announced', () => {
  pageStore.getState().addToast({ title: 'Registration Successful!', isSilent: true });
  expect(region.textContent).toBe('');
  expect(show).toHaveBeenCalledTimes(1);
});

test('a scroll is no reason to show or announce a toast again', () => {
  pageStore.getState().addToast({ title: 'Counting is off' });
  show.mockClear();
  region.textContent = '';
  pageStore.getState().setScroll(50);
  expect(show).not.toHaveBeenCalled();
  expect(region.textContent).toBe('');
});

test('a page without toasts has no region', () => {
  expect(() => announceToasts(null, show)).not.toThrow();
});
