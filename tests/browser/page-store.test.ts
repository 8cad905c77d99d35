import { beforeEach, expect, test, vi } from 'vitest';
import { createPageStore } from '#browser/page-store.ts';

beforeEach(() => void vi.useFakeTimers());

test('a toast is added with the default variant, and an update changes the given fields only', () => {
  const store = createPageStore(null);
  const id = store.getState().addToast({ title: 'Saving' });
  expect(store.getState().toasts).toEqual([
    { id, open: true, title: 'Saving', variant: 'default' },
  ]);
  store.getState().updateToast(id, { title: 'Saved', description: 'All of it' });
  expect(store.getState().toasts).toEqual([
    { id, open: true, title: 'Saved', description: 'All of it', variant: 'default' },
  ]);
});

test('a dismissed toast closes at once and is removed after 1,000,000 ms', () => {
  const store = createPageStore(null);
  const id = store.getState().addToast({ title: 'Saved' });
  store.getState().dismissToast(id);
  store.getState().dismissToast(id);
  expect(store.getState().toasts[0]?.open).toBe(false);
  vi.advanceTimersByTime(999_999);
  expect(store.getState().toasts).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(store.getState().toasts).toEqual([]);
});

test('remove deletes one toast, or all, at once', () => {
  const store = createPageStore(null);
  const id = store.getState().addToast({ title: 'Saved' });
  store.getState().removeToast('another');
  expect(store.getState().toasts).toHaveLength(1);
  store.getState().removeToast(id);
  expect(store.getState().toasts).toEqual([]);
  store.getState().addToast({ title: 'Again' });
  store.getState().removeToast();
  expect(store.getState().toasts).toEqual([]);
});

test('scroll stays within 0 and 100 percent', () => {
  const store = createPageStore(null);
  store.getState().setScroll(120);
  expect(store.getState().scroll).toBe(100);
  store.getState().setScroll(-3);
  expect(store.getState().scroll).toBe(0);
});
