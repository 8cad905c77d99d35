/** Root margin of the observer: an element is near if it is less than one screen from the view. */
const NEAR = '100% 0px';

/**
 * Runs the callback each time one of the elements comes near the view, contains the focus, or gets
 * an input. The input counts by itself, because a password manager may fill in a form that is far
 * from the view.
 */
export function whenNear(elements: Iterable<Element>, act: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) act();
    },
    { rootMargin: NEAR },
  );
  for (const element of elements) {
    observer.observe(element);
    for (const type of ['focusin', 'input']) element.addEventListener(type, act);
  }
}
