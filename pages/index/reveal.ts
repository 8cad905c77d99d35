/**
 * Lets what is still below the fold come in once, when it is scrolled into view. Nothing is hidden before this script
 * runs, and what already stands in view never moves.
 */
export function revealOnce(elements: Iterable<HTMLElement>): void {
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      (target as HTMLElement).dataset.reveal = 'shown';
      observer.unobserve(target);
    }
  });
  for (const element of elements) {
    if (element.getBoundingClientRect().top < innerHeight) {
      element.dataset.reveal = 'shown';
      continue;
    }
    element.dataset.reveal = 'waiting';
    observer.observe(element);
  }
}
