/** An element moves only when it is so far inside the view that the visitor sees the movement. */
const INSIDE_VIEW = '0px 0px -10%';

/**
 * Lets each element slide into its place once, when the visitor scrolls it into view. The attribute
 * `data-reveal` has the state, which CSS animates: `waiting` is a small offset, `shown` has none.
 * Waiting elements stay fully painted.
 *
 * Elements that are in view or above it at the start never move, because the visitor may be reading
 * them. Call it when the visitor begins to scroll, so that a screenshot of the whole page has each
 * element in its place. An intersection observer reads the positions, because measuring the
 * elements one by one would force a layout after each change.
 */
export function revealOnce(elements: Iterable<HTMLElement>): void {
  const observer = new IntersectionObserver(
    (entries) => {
      // `innerHeight` is read once, because each read forces a layout if styles have changed.
      const viewHeight = innerHeight;
      for (const { target, boundingClientRect, isIntersecting } of entries) {
        const { dataset } = target as HTMLElement;
        // One callback may have two entries of an element: it enters the view and leaves it again.
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
