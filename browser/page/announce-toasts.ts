import { pageStore, type Toast } from '../page-store.ts';

/**
 * Announces the toasts of the page store to screen readers, in a live region that is in the page
 * before the first toast. Silent toasts are not announced.
 *
 * @param region null on pages without toasts
 * @param show loads what shows the toasts on the screen. It is called when there is a toast. A
 *   toast's 5,000 ms begin when it is shown, so that the load does not shorten them
 */
export function announceToasts(region: HTMLElement | null, show: () => void): void {
  if (!region) return;
  pageStore.subscribe(({ toasts }, previous) => {
    if (toasts === previous.toasts) return;
    region.textContent = toasts.filter(isAnnounced).map(announcementOf).join(' ');
    if (toasts.length > 0) show();
  });
}

const isAnnounced = (toast: Toast): boolean => toast.open && !toast.isSilent;

const announcementOf = (toast: Toast): string =>
  [toast.title, toast.description].filter(Boolean).join('. ');
