import { whenIdle } from './when-idle.ts';

type Connected = Navigator & { connection?: { saveData?: boolean } };

/**
 * Loads the lazy images once the page is idle, because a capture of the whole page does not scroll. With Data Saver on, the
 * browser still loads each image when it comes close to the view.
 */
export function loadImages(images: Iterable<HTMLImageElement>): void {
  if ((navigator as Connected).connection?.saveData) return;
  const load = () => {
    for (const image of images) {
      // Null without a layout box: some drawings are for wide windows only.
      if (image.offsetParent) image.loading = 'eager';
    }
  };
  if (document.readyState === 'complete') whenIdle(load);
  else addEventListener('load', () => whenIdle(load));
}
