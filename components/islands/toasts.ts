import { pageStore, type Toast } from '#browser/page-store.ts';

const importToasts = () => import('./show-toasts.tsx');

let hasStarted = false;

/**
 * Announces the toasts of the page store to screen readers, in a live region that is in the page
 * before the first toast, and shows them on the screen. Silent toasts are only shown. Every part of
 * the page that makes toasts calls this function.
 *
 * The code that shows toasts loads for the first one. A toast's 5,000 ms begin when it is shown, so
 * that the load does not shorten them. After a failure the next toast loads it again; until then,
 * the live region and the text near the control say the same.
 */
export function startToasts(): void {
  if (hasStarted) return;
  hasStarted = true;
  const region = document.querySelector<HTMLElement>('[data-toasts]');
  let isRequested = false;
  pageStore.subscribe(({ toasts: [toast] }, { toasts: [previous] }) => {
    if (toast === previous) return;
    if (region) region.textContent = announcementOf(toast);
    if (!toast?.open || isRequested) return;
    isRequested = true;
    importToasts().then(
      ({ showToasts }) => showToasts(),
      () => {
        isRequested = false;
      },
    );
  });
}

/**
 * Imports the code that shows toasts ahead of time, because a toast is likely. The toast then
 * appears at once, even if the network has broken by then.
 */
export const preloadToasts = (): void => void importToasts().catch(() => {});

function announcementOf(toast: Toast | undefined): string {
  if (!toast?.open || toast.isSilent) return '';
  return [toast.title, toast.description].filter(Boolean).join('. ');
}
