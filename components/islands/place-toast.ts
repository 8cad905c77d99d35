/**
 * Finds a place for a toast. It is at the bottom of the view, where it covers nothing that has the
 * focus. After a registration it covers nothing that is read or pressed: it lies over the drawing
 * at the end of the section. Where a view has no room for that, it is at the top of the view, over
 * a room that the confirmation makes for it.
 */

/** Distance in px between a toast and an element with the focus, for the element's focus ring. */
const RING_PX = 16;

/**
 * A ref callback for a toast. Places it, also after the window has changed its width.
 *
 * @returns a clean-up function, which puts the frame of the toasts and the page back
 */
export function placeToast(toast: HTMLElement | null): (() => void) | undefined {
  if (!toast) return;
  let width = innerWidth;
  const onResize = () => {
    // The height alone changes while a reader scrolls and the browser's own bar goes away.
    if (innerWidth === width) return;
    width = innerWidth;
    place(toast);
  };
  place(toast);
  addEventListener('resize', onResize);
  return () => {
    removeEventListener('resize', onResize);
    putBack(toast);
  };
}

/** A ref callback for the confirmation of a registration. Shows it with room for its toast. */
export function makeRoomForToast(confirmation: HTMLElement | null): void {
  if (!confirmation) return;
  const show = () => {
    showEnd(confirmation);
    // The toast may be shown already.
    const toast = document.querySelector<HTMLElement>('[data-toast][data-state=open]');
    if (toast) place(toast);
  };
  show();
  // If a smooth scroll was under way, Chromium still moves the page by one frame of it.
  requestAnimationFrame(() => requestAnimationFrame(show));
}

function place(toast: HTMLElement): void {
  putBack(toast);
  const { style } = document.documentElement;
  style.scrollPaddingBottom = `${innerHeight - toast.getBoundingClientRect().top + RING_PX}px`;
  const focused = document.activeElement;
  const words = document.getElementById(focused?.getAttribute('aria-describedby') ?? '');
  const parts = [words, focused].filter((part): part is Element => !!part?.matches('body *'));
  const isInTheWay = () => parts.some((part) => doOverlap(toast, part));
  const confirmation = focused?.closest<HTMLElement>('[data-registered]');
  if (confirmation) {
    showEnd(confirmation);
    if (isInTheWay()) putAtTop(toast, confirmation);
  } else if (isInTheWay()) {
    // The focused element last, because there may be room for one of them only.
    for (const part of parts) part.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }
}

/**
 * Scrolls the end of the confirmation's section to the end of the view. In a low view the start of
 * the confirmation is more important.
 */
function showEnd(confirmation: HTMLElement): void {
  const end = confirmation.closest('section')?.getBoundingClientRect().bottom ?? innerHeight;
  const { top } = confirmation.getBoundingClientRect();
  scrollBy({ top: Math.min(end - innerHeight, top), behavior: 'instant' });
}

/** Moves a toast to the top of the view, and makes room for it there, in the confirmation. */
function putAtTop(toast: HTMLElement, confirmation: HTMLElement): void {
  const { parentElement: frame } = toast;
  if (!frame) return;
  frame.dataset.atTop = '';
  const { bottom } = frame.getBoundingClientRect();
  const { style } = document.documentElement;
  style.scrollPaddingBottom = '';
  style.scrollPaddingTop = `${bottom + RING_PX}px`;
  confirmation.style.paddingTop = `${bottom}px`;
  scrollBy({ top: confirmation.getBoundingClientRect().top, behavior: 'instant' });
}

/** Moves a toast back to the bottom of the view. What the visitor reads stays where it is. */
function putBack({ parentElement: frame }: HTMLElement): void {
  const { style } = document.documentElement;
  style.scrollPaddingBottom = '';
  style.scrollPaddingTop = '';
  if (frame?.dataset.atTop === undefined) return;
  delete frame.dataset.atTop;
  const confirmation = document.querySelector<HTMLElement>('[data-registered]');
  const words = confirmation?.lastElementChild;
  if (!words) return;
  const isBelowView = confirmation.getBoundingClientRect().top > innerHeight;
  const before = words.getBoundingClientRect().top;
  confirmation.style.paddingTop = '';
  if (isBelowView) return;
  scrollBy({ top: words.getBoundingClientRect().top - before, behavior: 'instant' });
}

function doOverlap(one: Element, other: Element): boolean {
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  return a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;
}
