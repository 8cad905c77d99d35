/**
 * Reveals each element once, when the visitor scrolls it into view. CSS moves it: `waiting` is a
 * small offset, and `shown` removes it. Waiting elements stay fully painted.
 *
 * Elements that are in view, or above it, at the observer's first report never move: the visitor
 * may be reading them. Call it when the visitor begins to scroll, so that a screenshot of the whole
 * page has each part in its place. The observer reports positions itself, because measuring each
 * element would force a layout after every change.
 */

/** Distance inside the view at which elements start to move, so that the visitor sees it. */
const INSIDE_VIEW = '0px 0px -10%';

export function revealOnce(elements: Iterable<HTMLElement>): void {
  const observer = new IntersectionObserver(
    (entries) => {
      // Read once, because it makes the browser apply all changes so far.
      const viewHeight = innerHeight;
      for (const { target, boundingClientRect, isIntersecting } of entries) {
        const { dataset } = target as HTMLElement;
        // A report of leaving the view may arrive together with that of entering it.
        if (dataset.reveal === 'shown') continue;
        const isFirstReport = dataset.reveal === '';
        if (isFirstReport ? boundingClientRect.top <= viewHeight : isIntersecting) {
          dataset.reveal = 'shown';
          observer.unobserve(target);
        } else dataset.reveal = 'waiting';
      }
    },
    { rootMargin: INSIDE_VIEW },
  );
  for (const element of elements) observer.observe(element);
}
