import { whenIdle } from './when-idle.ts';

type Connected = Navigator & { connection?: { saveData?: boolean } };

/**
 * Loads the lazy images once the page is idle, because a capture of the whole page does not scroll. One in each idle period, so
 * that a press in between is answered at once. With Data Saver on, the browser still loads each image close to the view.
 */
export function loadImages(images: Iterable<HTMLImageElement>): void {
  if ((navigator as Connected).connection?.saveData) return;
  const waiting = [...images];
  const loadNext = () => {
    const image = waiting.shift();
    if (!image) return;
    // Null without a layout box: some drawings are for wide windows only.
    if (image.offsetParent) image.loading = 'eager';
    whenIdle(loadNext);
  };
  if (document.readyState === 'complete') whenIdle(loadNext);
  else addEventListener('load', () => whenIdle(loadNext));
}
