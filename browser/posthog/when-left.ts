import { flushEvents } from './event-queue.ts';

/**
 * Calls back once, when the visitor first hides or leaves the page. Not later, because a phone ends
 * a hidden page without an event. A tab that was never shown cannot be left.
 *
 * @param report tracks events, and gets the milliseconds since the page was shown
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
