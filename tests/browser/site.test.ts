import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSiteStore } from '#browser/site.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('toasts', () => {
  test('add shows an open toast with the default variant', () => {
    const store = createSiteStore();
    const id = store.getState().addToast({ title: 'Saved' });
    expect(store.getState().toasts).toEqual([
      { id, open: true, title: 'Saved', variant: 'default' },
    ]);
  });

  test('at most one toast is visible: the newest', () => {
    const store = createSiteStore();
    store.getState().addToast({ title: 'First' });
    store.getState().addToast({ title: 'Second', variant: 'destructive' });
    expect(store.getState().toasts.map((toast) => toast.title)).toEqual(['Second']);
  });

  test('update changes the given fields only', () => {
    const store = createSiteStore();
    const id = store.getState().addToast({ title: 'Saving' });
    store.getState().updateToast(id, { title: 'Saved', description: 'All of it' });
    expect(store.getState().toasts[0]).toEqual({
      id,
      open: true,
      title: 'Saved',
      description: 'All of it',
      variant: 'default',
    });
  });

  test('a dismissed toast closes at once and is removed after 1,000,000 ms', () => {
    const store = createSiteStore();
    const id = store.getState().addToast({ title: 'Saved' });
    store.getState().dismissToast(id);
    store.getState().dismissToast(id);
    expect(store.getState().toasts[0]?.open).toBe(false);
    vi.advanceTimersByTime(999_999);
    expect(store.getState().toasts).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(store.getState().toasts).toEqual([]);
  });

  test('dismiss without an id closes every toast', () => {
    const store = createSiteStore();
    store.getState().addToast({ title: 'Saved' });
    store.getState().dismissToast();
    expect(store.getState().toasts.every((toast) => !toast.open)).toBe(true);
  });

  test('the removal of an old toast does not affect a newer one', () => {
    const store = createSiteStore();
    const old = store.getState().addToast({ title: 'Old' });
    store.getState().dismissToast(old);
    store.getState().addToast({ title: 'New' });
    vi.advanceTimersByTime(1_000_000);
    expect(store.getState().toasts.map((toast) => toast.title)).toEqual(['New']);
  });

  test('remove deletes one toast, or all, at once', () => {
    const store = createSiteStore();
    const id = store.getState().addToast({ title: 'Saved' });
    store.getState().removeToast('another');
    expect(store.getState().toasts).toHaveLength(1);
    store.getState().removeToast(id);
    expect(store.getState().toasts).toEqual([]);
    store.getState().addToast({ title: 'Again' });
    store.getState().removeToast();
    expect(store.getState().toasts).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('scroll stays within 0 and 100 percent', () => {
  const store = createSiteStore();
  store.getState().setScroll(120);
  expect(store.getState().scroll).toBe(100);
  store.getState().setScroll(-3);
  expect(store.getState().scroll).toBe(0);
});
