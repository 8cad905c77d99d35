/** Fallback in milliseconds for browsers that hide paint timing, as some do against fingerprinting. */
const SURELY_PAINTED_MS = 3000;
/** Pause between two attempts to load the module, in milliseconds. */
const RETRY_MS = 30_000;

/**
 * Loads the page's module after the first paint, because it would compete with the paint for the network. Repeats a
 * failed attempt, because clicks that were made offline wait for the module.
 */
export async function loadModule(): Promise<void> {
  await Promise.all([firstPaint(), parsed()]);
  // build/finish.ts writes the path into the template.
  const path = document.querySelector<HTMLElement>('[data-module]')?.dataset.module;
  while (path) {
    try {
      await import(/* @vite-ignore */ path);
      return;
    } catch {
      await onlineOrLater();
    }
  }
}

const firstPaint = () =>
  new Promise<void>((resolve) => {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) resolve();
    }).observe({ type: 'paint', buffered: true });
    setTimeout(resolve, SURELY_PAINTED_MS);
  });

const parsed = () =>
  new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }));

const onlineOrLater = () =>
  new Promise((resolve) => {
    addEventListener('online', resolve, { once: true });
    setTimeout(resolve, RETRY_MS);
  });
