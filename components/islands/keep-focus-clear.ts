/** Room for the ring of the focused element, in pixels. */
const RING_PX = 16;

/**
 * The `ref` of a box at the bottom of the view. While the box is in the page, the browser scrolls
 * each element that gets the focus to a place above the box. An element that the box would cover at
 * once moves there too, and so do the words that describe it.
 */
export function keepFocusClear(box: HTMLElement | null): (() => void) | undefined {
  if (!box) return;
  const { style } = document.documentElement;
  const bounds = box.getBoundingClientRect();
  style.scrollPaddingBottom = `${innerHeight - bounds.top + RING_PX}px`;
  const focused = document.activeElement;
  const words = document.getElementById(focused?.getAttribute('aria-describedby') ?? '');
  // The focused element last, because there may be room for one of them only.
  for (const element of [words, focused])
    if (element?.matches('body *') && doOverlap(bounds, element.getBoundingClientRect()))
      element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  return () => {
    style.scrollPaddingBottom = '';
  };
}

const doOverlap = (a: DOMRect, b: DOMRect): boolean =>
  a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;
