/**
 * Lets the pieces of the signal line that are below the view wait, so that scrolling draws them
 * (renderer/css/road.css). Call it when the visitor begins to scroll: until then, and in
 * screenshots, the whole line is there. A piece that is drawn stays.
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
