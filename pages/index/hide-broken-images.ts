/**
 * Hides each image that does not load, because the browser would show a broken sign in a large gap. All images are
 * decoration, and the words around them say everything. An error event does not bubble, so this captures it.
 *
 * @param page what the images' events pass on their way down: the window
 */
export function hideBrokenImages(page: EventTarget): void {
  const hide = ({ target }: Event) => {
    if (target instanceof HTMLImageElement) target.hidden = true;
  };
  page.addEventListener('error', hide, true);
}
