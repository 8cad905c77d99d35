/** Takes up what first-screen-inline.ts left out: a section per frame, so that no single frame is long. */
export function layOutRest(root: HTMLElement, sections: Iterable<HTMLElement>): void {
  const rest = [...sections];
  const next = () => {
    const section = rest.shift();
    if (section) {
      section.style.contentVisibility = 'visible';
      requestAnimationFrame(next);
    } else delete root.dataset.firstScreen;
  };
  if (root.dataset.firstScreen !== undefined) requestAnimationFrame(next);
}
