/**
 * Finds a place for a toast. It is at the bottom of the view, where it covers nothing that has the
 * focus. The toast of a registration covers no word of the confirmation, and nothing around it that
 * is read or pressed: it lies over the drawing at the end of the section. Where a view has no room
 * for that, it is at the top of the view, over a room that the confirmation makes for it.
 */

/** Distance in px between a toast and an element with the focus, for the element's focus ring. */
const RING_PX = 16;

/** Whether the visitor sees the confirmation, as of the last frame. */
let isConfirmationSeen = false;

/**
 * A ref callback for a toast. Places it, also after the window has changed its width.
 *
 * @returns a clean-up function
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
    setScrollPadding('', '');
  };
}

/**
 * A ref callback for the confirmation of a registration. Scrolls it to where it and its toast are
 * seen.
 *
 * @returns a clean-up function
 */
export function showConfirmation(confirmation: HTMLElement | null): (() => void) | undefined {
  if (!confirmation) return;
  isConfirmationSeen = true;
  const observer = new IntersectionObserver((entries) => {
    isConfirmationSeen = entries.some(({ isIntersecting }) => isIntersecting);
  });
  observer.observe(confirmation);
  const show = () => {
    showEnd(confirmation);
    // The toast may be shown already.
    const toast = document.querySelector<HTMLElement>('[data-toast][data-state=open]');
    if (toast) place(toast);
  };
  show();
  // If a smooth scroll was under way, Chromium still moves the page by one frame of it.
  requestAnimationFrame(() => requestAnimationFrame(show));
  return () => observer.disconnect();
}

function place(toast: HTMLElement): void {
  delete toast.parentElement?.dataset.atTop;
  setScrollPadding('', `${innerHeight - toast.getBoundingClientRect().top + RING_PX}px`);
  // Only a toast that says the same as the focused text is silent.
  const isSilent = toast.dataset.silent !== undefined;
  const confirmation = document.querySelector<HTMLElement>('[data-registered]');
  if (!isSilent || !confirmation) keepFocusClear(toast);
  else if (isConfirmationSeen) placeBeside(confirmation, toast);
}

/** Places the toast of a registration. */
function placeBeside(confirmation: HTMLElement, toast: HTMLElement): void {
  confirmation.style.paddingTop = '';
  showEnd(confirmation);
  const words = confirmation.querySelectorAll('h3, h3 ~ p');
  if (![...words].some((part) => doOverlap(toast, part))) return;
  const { parentElement: frame } = toast;
  if (!frame) return;
  frame.dataset.atTop = '';
  const { bottom } = frame.getBoundingClientRect();
  setScrollPadding(`${bottom + RING_PX}px`, '');
  // The room stays when the toast goes, so that nothing moves.
  confirmation.style.paddingTop = `${bottom}px`;
  scrollBy({ top: confirmation.getBoundingClientRect().top, behavior: 'instant' });
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

/** Scrolls an element that a toast covers, and that has the focus or describes what has it. */
function keepFocusClear(toast: HTMLElement): void {
  const focused = document.activeElement;
  const words = document.getElementById(focused?.getAttribute('aria-describedby') ?? '');
  const parts = [words, focused].filter((part): part is Element => !!part?.matches('body *'));
  if (!parts.some((part) => doOverlap(toast, part))) return;
  // The focused element last, because there may be room for one of them only.
  for (const part of parts) part.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}

function setScrollPadding(top: string, bottom: string): void {
  const { style } = document.documentElement;
  style.scrollPaddingTop = top;
  style.scrollPaddingBottom = bottom;
}

function doOverlap(one: Element, other: Element): boolean {
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  return a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;
}
