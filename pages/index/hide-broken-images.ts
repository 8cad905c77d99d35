/**
 * Hides each image that does not load, because the browser would show a broken-image icon in a large gap. All images are
 * decoration: the words around them say everything.
 */
export function hideBrokenImages(images: Iterable<HTMLImageElement>): void {
  for (const image of images) {
    const hide = () => {
      image.hidden = true;
    };
    if (image.complete && image.naturalWidth === 0) hide();
    else image.addEventListener('error', hide);
  }
}
