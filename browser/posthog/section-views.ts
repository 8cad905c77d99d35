/** Reports each section once, when half of it was in view (or it filled half the view) for one second. */
const LOOKED_AT_MS = 1000;
const HALF = 0.5;

/** @param sections elements labelled by the heading that carries their anchor, which names them in the event */
export function watchSections(
  sections: Iterable<Element>,
  onViewed: (section: string) => void,
): void {
  const timers = new Map<Element, ReturnType<typeof setTimeout>>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        clearTimeout(timers.get(entry.target));
        if (!isHalfInView(entry)) continue;
        const viewed = () => {
          observer.unobserve(entry.target);
          onViewed(entry.target.getAttribute('aria-labelledby') ?? '');
        };
        timers.set(entry.target, setTimeout(viewed, LOOKED_AT_MS));
      }
    },
    { threshold: [0, 0.1, 0.2, 0.3, 0.4, HALF] },
  );
  for (const section of sections) observer.observe(section);
}

const isHalfInView = (entry: IntersectionObserverEntry): boolean =>
  entry.intersectionRatio >= HALF ||
  entry.intersectionRect.height >= HALF * (entry.rootBounds?.height ?? Number.POSITIVE_INFINITY);
