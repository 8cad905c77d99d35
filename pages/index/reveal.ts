/**
 * Lets what is still below the fold come in once, when it is scrolled into view. Nothing is hidden before this script
 * runs, and what stands in view by then, or has been passed, never moves.
 *
 * Where an element stands, the observer's first report says: asking each one would make the browser lay out the page
 * anew after every mark that is set.
 */
export function revealOnce(elements: Iterable<HTMLElement>): void {
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const { dataset } = target as HTMLElement;
      const isFirstReport = dataset.reveal === '';
      if (isIntersecting || (isFirstReport && boundingClientRect.top < 0)) {
        dataset.reveal = 'shown';
        observer.unobserve(target);
      } else if (isFirstReport) dataset.reveal = 'waiting';
    }
  });
  for (const element of elements) observer.observe(element);
}
