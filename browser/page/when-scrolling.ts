/** The first event of a scroll with a wheel, a finger, a key or the scroll bar. */
const SCROLL_EVENTS = ['wheel', 'touchstart', 'keydown', 'scroll'];

/**
 * Runs the callback once, when the visitor begins to scroll. `pointermove` does not count, because
 * browsers also fire it without a visitor, for example before a screenshot.
 */
export function whenScrolling(act: () => void): void {
  const listening = new AbortController();
  const { signal } = listening;
  const onStart = () => {
    listening.abort();
    act();
  };
  for (const type of SCROLL_EVENTS) addEventListener(type, onStart, { signal, passive: true });
}
