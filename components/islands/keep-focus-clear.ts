import { CONFIRMATION, standAbove, standBelow, standsAbove } from './stand-above.ts';

/** Distance between the box and a focused element: the element's focus ring needs it. */
const RING_PX = 16;

/**
 * A ref callback for a box that is fixed at the bottom of the view, such as a toast. It keeps the
 * box from covering the focused element, and the words that describe it, also after the window has
 * changed its size.
 *
 * @returns a clean-up function, which removes the scroll padding and puts the box back
 */
export function keepFocusClear(box: HTMLElement | null): (() => void) | undefined {
  if (!box) return;
  const onResize = () => clearFocus(box);
  clearFocus(box);
  addEventListener('resize', onResize);
  return () => {
    removeEventListener('resize', onResize);
    document.documentElement.style.scrollPaddingBottom = '';
    standBelow(box);
  };
}

/**
 * Sets the page's scroll padding to the box's height, and scrolls an element below the box that has
 * the focus already, or describes it. Where the view has no room for the confirmation of a
 * registration and the box, the box stands above the confirmation.
 */
export function clearFocus(box: HTMLElement): void {
  if (standsAbove(box)) {
    standAbove(box);
    return;
  }
  const { style } = document.documentElement;
  style.scrollPaddingBottom = `${innerHeight - box.getBoundingClientRect().top + RING_PX}px`;
  const focused = document.activeElement;
  const words = document.getElementById(focused?.getAttribute('aria-describedby') ?? '');
  const parts = [words, focused].filter((part): part is Element => !!part?.matches('body *'));
  const isInTheWay = () => parts.some((part) => doOverlap(box, part));
  if (!isInTheWay()) return;
  // The focused element last, because there may be room for one of them only.
  for (const part of parts) showWhole(part);
  if (!isInTheWay() || !focused?.closest(CONFIRMATION)) return;
  standAbove(box);
  style.scrollPaddingBottom = '';
  showWhole(box);
  showWhole(focused);
}

const showWhole = (element: Element): void =>
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' });

function doOverlap(one: Element, other: Element): boolean {
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  return a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;
}
