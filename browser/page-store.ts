/**
 * The page's state in the browser: its `ref`, its toasts and how far it is scrolled.
 *
 * All but the `ref` begins as a constant, so that the prerendered page and the browser agree. This
 * module does not import React; components read the store with zustand's `useStore`.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

/** At most one toast is visible (specification, section 4). */
const TOAST_LIMIT = 1;
/** A dismissed toast leaves the state after this time (specification, section 9). */
const TOAST_REMOVE_DELAY_MS = 1_000_000;

export interface Toast {
  id: string;
  open: boolean;
  title: string;
  description?: string;
  action?: { label: string; onSelect: () => void };
  variant: 'default' | 'destructive';
  /** True where an element that gets the focus says the same to screen readers. */
  isSilent?: boolean;
}

export type ToastContent = Pick<Toast, 'title'> &
  Partial<Pick<Toast, 'description' | 'action' | 'variant' | 'isSilent'>>;

export interface PageState {
  /** The landing URL's `ref` parameter. */
  ref: string | null;
  /** The toasts that are shown or wait, the newest first. */
  toasts: readonly Toast[];
  /** Percent of the page scrolled, 0 to 100. */
  scroll: number;

  setScroll(percent: number): void;
  /** Shows a toast in place of any other; returns its id. */
  addToast(content: ToastContent): string;
  updateToast(id: string, content: Partial<Omit<Toast, 'id'>>): void;
  /** Closes one toast, or all. Removes it later, so that its exit can end first. */
  dismissToast(id?: string): void;
  /** Removes one toast, or all, at once. */
  removeToast(id?: string): void;
}

/** @param ref the landing URL's, for the whole visit */
export function createPageStore(ref: string | null): StoreApi<PageState> {
  let lastId = 0;

  return createStore<PageState>()((set, get) => ({
    ref,
    toasts: [],
    scroll: 0,

    setScroll: (percent) => set({ scroll: Math.min(100, Math.max(0, percent)) }),

    addToast(content) {
      lastId += 1;
      const toast: Toast = { variant: 'default', ...content, id: `toast-${lastId}`, open: true };
      set(({ toasts }) => ({ toasts: [toast, ...toasts].slice(0, TOAST_LIMIT) }));
      return toast.id;
    },
    updateToast(id, content) {
      set(({ toasts }) => ({
        toasts: toasts.map((toast) => (toast.id === id ? { ...toast, ...content } : toast)),
      }));
    },
    dismissToast(id) {
      for (const toast of get().toasts) {
        if (id !== undefined && toast.id !== id) continue;
        get().updateToast(toast.id, { open: false });
        setTimeout(() => get().removeToast(toast.id), TOAST_REMOVE_DELAY_MS);
      }
    },
    removeToast(id) {
      set(({ toasts }) => ({
        toasts: id === undefined ? [] : toasts.filter((toast) => toast.id !== id),
      }));
    },
  }));
}

/** The page's one store. Its `ref` is the stub's, which has read the page's address. */
export const pageStore = createPageStore(globalThis.window?.ctaStub?.ref ?? null);
