import { loadOnce } from '#browser/page/load-once.ts';

const importToasts = () => import('./show-toasts.tsx');

/** Loads, once, what shows the toasts of the page store on the screen. */
export const loadToasts = loadOnce(async () => (await importToasts()).showToasts());

/**
 * Imports that code ahead of time, because a toast is likely. The toast then appears at once, even
 * if the network has broken by then.
 */
export const preloadToasts = (): void => void importToasts().catch(() => {});
