/**
 * A ref callback for the confirmation of a registration. It scrolls the end of the section to the
 * end of the view, where the toast covers the drawing, and no words or controls. In a low view the
 * begin of the confirmation is more important.
 */
export function makeRoomForToast(confirmation: HTMLElement | null): void {
  if (!confirmation) return;
  const end = confirmation.closest('section')?.getBoundingClientRect().bottom ?? innerHeight;
  const { top } = confirmation.getBoundingClientRect();
  scrollBy({ top: Math.min(end - innerHeight, top), behavior: 'instant' });
  // A toast may be shown already. The heading, which has the focus, keeps clear of it.
  confirmation.querySelector('h3')?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}
