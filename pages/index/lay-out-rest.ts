/** Brings back the sections that first-screen-inline.ts skipped: one per frame, so that no single frame is long. */
export function layOutRest(root: HTMLElement): void {
  const rest = [...document.querySelectorAll<HTMLElement>('main > section')];
  const next = () => {
    const section = rest.shift();
    if (section) {
      section.style.contentVisibility = 'visible';
      requestAnimationFrame(next);
    } else delete root.dataset.firstScreen;
  };
  requestAnimationFrame(next);
}
