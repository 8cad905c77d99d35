import { useStore } from 'zustand';
import { siteStore, type Toast } from '#browser/site.ts';
import { VisibleToasts } from './visible-toasts.tsx';

/** Shows the state's toast, and announces it in a live region that is in the page before any toast. */
export function Toaster() {
  const toasts = useStore(siteStore, (state) => state.toasts);
  return (
    <>
      <p className="sr-only" role="status">
        {toasts
          .filter((toast) => toast.open)
          .map(spoken)
          .join(' ')}
      </p>
      {toasts.length > 0 && <VisibleToasts toasts={toasts} />}
    </>
  );
}

const spoken = (toast: Toast): string =>
  [toast.title, toast.description].filter(Boolean).join('. ');
