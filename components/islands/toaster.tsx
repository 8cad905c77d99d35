import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { pageStore, type Toast } from '#browser/page-store.ts';
import { loadToasts } from './load-toasts.ts';
import type { VisibleToasts } from './visible-toasts.tsx';

/**
 * Shows the toasts of the page store, and announces them to screen readers in a live region, which
 * is in the page before the first toast. Silent toasts are not announced.
 */
export function Toaster() {
  const toasts = useStore(pageStore, (state) => state.toasts);
  const Visible = useVisibleToasts(toasts);
  return (
    <>
      <p className="sr-only" role="status">
        {toasts
          .filter((toast) => toast.open && !toast.isSilent)
          .map(announcementOf)
          .join(' ')}
      </p>
      {Visible && toasts.length > 0 && <Visible toasts={toasts} />}
    </>
  );
}

const announcementOf = (toast: Toast): string =>
  [toast.title, toast.description].filter(Boolean).join('. ');

/**
 * Imports the component that shows toasts when there is a first toast. The toast's 5,000 ms begin
 * when it is shown, so that the import does not shorten them.
 *
 * @returns null until the component has loaded. After a failure, the next toast retries
 */
function useVisibleToasts(toasts: readonly Toast[]): typeof VisibleToasts | null {
  const [Visible, setVisible] = useState<typeof VisibleToasts | null>(null);
  useEffect(() => {
    if (Visible || toasts.length === 0) return;
    loadToasts().then(
      (loaded) => setVisible(() => loaded.VisibleToasts),
      () => {}, // Without the toast, the live region and the text near the control say the same.
    );
  }, [toasts, Visible]);
  return Visible;
}
