import { lazy, Suspense } from 'react';
import type { Toast } from '#state/site.ts';
import { useSite } from '#state/use-site.ts';

const VisibleToasts = lazy(() =>
  import('./visible-toasts.tsx').then((module) => ({ default: module.VisibleToasts })),
);

/** Shows the state's toast, and says it in a live region that stands in the page before any toast does. */
export function Toaster() {
  const toasts = useSite((state) => state.toasts);
  return (
    <>
      <p className="sr-only" role="status">
        {toasts
          .filter((toast) => toast.open)
          .map(spoken)
          .join(' ')}
      </p>
      {toasts.length > 0 && (
        <Suspense>
          <VisibleToasts toasts={toasts} />
        </Suspense>
      )}
    </>
  );
}

const spoken = (toast: Toast): string =>
  [toast.title, toast.description].filter(Boolean).join('. ');
