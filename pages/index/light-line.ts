/**
 * Lights the signal line as far as the visitor has scrolled. Lit parts stay lit. CSS draws `--lit`, the lit share of each
 * piece, and ignores it in print and under reduced motion (renderer/css/landing.css).
 */

/** Distance of the lit end from the bottom of the view, as a share of the view's height, so that the visitor sees it. */
const INSIDE_VIEW = 0.22;

export function lightLine(pieces: Iterable<SVGElement>): void {
  const lit = new Map([...pieces].map((piece) => [piece, 0]));
  // Parts that are in view at the start are lit at once, because the visitor may be reading next to them.
  let inside = 0;
  const update = () => {
    const end = innerHeight * (1 - inside);
    const shares = [...lit].map(([piece, before]) => {
      const { top, height } = piece.getBoundingClientRect();
      return [piece, Math.max(before, height && Math.min(1, (end - top) / height))] as const;
    });
    // After all measurements, because a change before one would force a layout.
    for (const [piece, share] of shares) {
      piece.style.setProperty('--lit', share.toFixed(3));
      if (share < 1) lit.set(piece, share);
      else lit.delete(piece);
    }
    inside = INSIDE_VIEW;
  };
  addEventListener('scroll', update, { passive: true });
  // The observer reports the first layout, and every growth of the page.
  new ResizeObserver(update).observe(document.body);
}
