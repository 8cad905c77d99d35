/** Distance between the box and a focused element: the element's focus ring needs it. */
const RING_PX = 16;

/**
 * A ref callback for a box that is fixed at the bottom of the view, such as a toast. It keeps the
 * box from covering the focused element, and the words that describe it, also after the window has
 * changed its size.
 *
 * @returns a clean-up function, which removes the scroll padding
 */
export function keepFocusClear(box: HTMLElement | null): (() => void) | undefined {
  if (!box) return;
  const onResize = () => clearFocus(box);
  clearFocus(box);
  addEventListener('resize', onResize);
  return () => {
    removeEventListener('resize', onResize);
    document.documentElement.style.scrollPaddingBottom = '';
  };
}

/**
 * Sets the page's scroll padding to the box's height, and scrolls an element below the box that has
 * the focus already, or describes it.
 */
export function clearFocus(box: HTMLElement): void {
  const bounds = box.getBoundingClientRect();
  const { style } = document.documentElement;
  style.scrollPaddingBottom = `${innerHeight - bounds.top + RING_PX}px`;
  const focused = document.activeElement;
  const words = document.getElementById(focused?.getAttribute('aria-describedby') ?? '');
  const parts = [words, focused].filter((part): part is Element => !!part?.matches('body *'));
  if (!parts.some((part) => doOverlap(bounds, part.getBoundingClientRect()))) return;
  // The focused element last, because there may be room for one of them only.
  for (const part of parts) part.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}

const doOverlap = (a: DOMRect, b: DOMRect): boolean =>
  a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;
