/** Distance from the view at which an element is near: the height of the view. */
const NEAR = '100% 0px';

/**
 * Runs the callback each time one of the elements comes near the view or gets the focus, and at
 * each input in it. An input may come without either: a password manager fills a form in that is
 * far away.
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
