/** Fallback in milliseconds for browsers that hide paint timing, as some do against fingerprinting. */
const SURELY_PAINTED_MS = 3000;

/**
 * Resolves once the browser reports that the page's first content is on the screen. Browsers paint no tab in the background, but
 * the fallback resolves there too.
 */
export const firstPaint = () =>
  new Promise<void>((resolve) => {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint')[0]) resolve();
    }).observe({ type: 'paint', buffered: true });
    setTimeout(resolve, SURELY_PAINTED_MS);
  });
