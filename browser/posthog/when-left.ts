import { flushEvents } from './event-queue.ts';

/**
 * Calls back once, when the visitor first hides or leaves the page, and then sends the queue of
 * events. It does not wait until the page closes, because a phone closes a hidden page without an
 * event. A tab in the background that was never shown does not count as left.
 *
 * @param report tracks events; its argument is the time since the page was shown, in milliseconds
 */
export function whenLeft(report: (shownMs: number) => void): void {
  const listening = new AbortController();
  const { signal } = listening;
  let shownAt = document.hidden ? null : performance.now();
  const leave = () => {
    if (shownAt === null) return;
    listening.abort();
    report(performance.now() - shownAt);
    flushEvents();
  };
  const onVisibility = () => {
    if (document.hidden) leave();
    else shownAt ??= performance.now();
  };
  document.addEventListener('visibilitychange', onVisibility, { signal });
  addEventListener('pagehide', leave, { signal });
}
