import { firstPaint } from '#browser/first-paint.ts';

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

const parsed = () =>
  new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }));

const onlineOrLater = () =>
  new Promise((resolve) => {
    addEventListener('online', resolve, { once: true });
    setTimeout(resolve, RETRY_MS);
  });
