/** The events with which a visitor begins to scroll. */
const STARTS = ['wheel', 'touchstart', 'keydown', 'scroll'];

/**
 * Runs the callback once, when the visitor begins to scroll. A movement of the pointer does not
 * count, because browsers also report one by themselves, and a screenshot of the whole page must
 * show each part in its place.
 */
export function whenScrolling(act: () => void): void {
  const listening = new AbortController();
  const { signal } = listening;
  const onStart = () => {
    listening.abort();
    act();
  };
  for (const type of STARTS) addEventListener(type, onStart, { signal, passive: true });
}
