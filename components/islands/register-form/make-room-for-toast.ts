import { clearFocus } from '../keep-focus-clear.ts';

/**
 * A ref callback for the confirmation of a registration. It scrolls the end of the section to the
 * end of the view, where the toast covers the drawing, and no words or controls. In a low view the
 * start of the confirmation is more important.
 */
export function makeRoomForToast(confirmation: HTMLElement | null): void {
  if (!confirmation) return;
  // Ends a smooth scroll that is under way, which would go on from the new place.
  scrollTo({ top: scrollY, behavior: 'instant' });
  const end = confirmation.closest('section')?.getBoundingClientRect().bottom ?? innerHeight;
  const { top } = confirmation.getBoundingClientRect();
  scrollBy({ top: Math.min(end - innerHeight, top), behavior: 'instant' });
  // The toast may be shown already.
  const toast = document.querySelector<HTMLElement>('[data-toast][data-state=open]');
  if (toast) clearFocus(toast);
}
