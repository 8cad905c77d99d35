import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { pageStore, type Toast } from '#browser/page-store.ts';
import { loadToasts } from './load-toasts.ts';
import type { VisibleToasts } from './visible-toasts.tsx';

/**
 * Shows the state's toast. Announces it, unless the focused element says the same, in a live region
 * that is in the page before any toast.
 */
export function Toaster() {
  const toasts = useStore(pageStore, (state) => state.toasts);
  const Visible = useVisibleToasts(toasts);
  return (
    <>
      <p className="sr-only" role="status">
        {toasts
          .filter((toast) => toast.open && !toast.isSilent)
          .map(spoken)
          .join(' ')}
      </p>
      {Visible && toasts.length > 0 && <Visible toasts={toasts} />}
    </>
  );
}

const spoken = (toast: Toast): string =>
  [toast.title, toast.description].filter(Boolean).join('. ');

/**
 * Loads the component that shows toasts with the first toast, whose 5,000 ms begin once it is
 * shown. Null until then, and without a network; each further toast tries again.
 */
function useVisibleToasts(toasts: readonly Toast[]): typeof VisibleToasts | null {
  const [Visible, setVisible] = useState<typeof VisibleToasts | null>(null);
  useEffect(() => {
    if (Visible || toasts.length === 0) return;
    loadToasts().then(
      (loaded) => setVisible(() => loaded.VisibleToasts),
      () => {}, // The live region and the words beside the control say the same.
    );
  }, [toasts, Visible]);
  return Visible;
}
