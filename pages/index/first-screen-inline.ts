/**
 * The inline script that limits the first layout to the first screen: base.css skips the sections far below, and this
 * script brings them back after the first frame. It does not wait for the page's module, because a capture of the
 * whole page would show the skipped sections blank until then, or for good where the module does not load.
 *
 * It skips nothing if the visitor arrives at a place further down, by a fragment or by coming back: that place must
 * not move. It runs in Chromium alone, recognised by `userAgentData`: WebKit 2.50 often hangs when the sections come
 * back.
 *
 * It also runs before the first image, and so listens for all that do not load.
 */
import { hideBrokenImages } from './hide-broken-images.ts';
import { layOutRest } from './lay-out-rest.ts';

const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
const isFresh = visit?.type === 'navigate' && !location.hash;
if (isFresh && 'userAgentData' in navigator) {
  const root = document.documentElement;
  root.dataset.firstScreen = '';
  addEventListener('load', () => layOutRest(root));
}

hideBrokenImages(window);
