/** Selector of the confirmation of a registration. */
export const CONFIRMATION = '[data-registered]';

/**
 * Moves a toast from the bottom of the view into the page, above the confirmation of a
 * registration, which makes room for it. There it covers nothing, also in a view that is too low
 * for both. The room stays after the toast has closed, so that the words below do not jump.
 */
export function standAbove({ parentElement: frame }: HTMLElement): void {
  const confirmation = document.querySelector<HTMLElement>(CONFIRMATION);
  if (!frame || !confirmation) return;
  frame.dataset.above = '';
  confirmation.style.paddingTop = `${frame.offsetHeight}px`;
  frame.style.top = `${scrollY + confirmation.getBoundingClientRect().top}px`;
}

/** Whether `standAbove` has moved the toast. */
export const standsAbove = (toast: HTMLElement): boolean =>
  toast.parentElement?.dataset.above !== undefined;

/** Moves the frame of a toast back to the bottom of the view, for the next toast. */
export function standBelow({ parentElement: frame }: HTMLElement): void {
  delete frame?.dataset.above;
  frame?.style.removeProperty('top');
}
