/**
 * Hides the pieces of the signal line that are below the view, so that scrolling draws each of them
 * with an animation (renderer/css/road.css). A drawn piece stays.
 *
 * Call it when the visitor begins to scroll. Until then the whole line is visible, so that a
 * screenshot of the whole page has it.
 *
 * @param pieces the SVG elements of the line
 */
export function drawRoad(pieces: Iterable<SVGElement>): void {
  const observer = new IntersectionObserver((entries) => {
    const viewHeight = innerHeight;
    for (const { target, boundingClientRect } of entries)
      if (boundingClientRect.top > viewHeight) (target as SVGElement).dataset.road = 'waiting';
    observer.disconnect();
  });
  for (const piece of pieces) observer.observe(piece);
  addEventListener('animationend', ({ target, animationName }) => {
    const piece = (target as Element).closest<SVGElement>('[data-road]');
    if (animationName === 'road' && piece) piece.dataset.road = 'drawn';
  });
}
