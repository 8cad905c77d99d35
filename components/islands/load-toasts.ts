export const loadToasts = () => import('./visible-toasts.tsx');

/**
 * Loads the toasts' code when a toast is likely, so that the toast is there at once, also if the
 * network breaks.
 */
export const preloadToasts = (): void => void loadToasts().catch(() => {});
