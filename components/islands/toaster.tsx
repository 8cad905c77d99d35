import { lazy, Suspense, useEffect } from 'react';
import type { Toast } from '#browser/site.ts';
import type { IslandWords } from '#words/en/islands.ts';
import { useSite } from './use-site.ts';

const loadVisibleToasts = () => import('./visible-toasts.tsx');
const VisibleToasts = lazy(() =>
  loadVisibleToasts().then((module) => ({ default: module.VisibleToasts })),
);

/** Shows the state's toast, and announces it in a live region that is in the page before any toast. */
export function Toaster({ words }: { words: IslandWords['toaster'] }) {
  const toasts = useSite((state) => state.toasts);
  // Loaded before the first toast, because that toast may report a lost network.
  useEffect(() => {
    loadVisibleToasts().catch(() => {});
  }, []);
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
          <VisibleToasts toasts={toasts} words={words} />
        </Suspense>
      )}
    </>
  );
}

const spoken = (toast: Toast): string =>
  [toast.title, toast.description].filter(Boolean).join('. ');
