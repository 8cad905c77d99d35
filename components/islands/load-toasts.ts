/** Imports the component that shows toasts. Rejects if the chunk cannot be loaded. */
export const loadToasts = () => import('./visible-toasts.tsx');

/**
 * Imports that component ahead of time, because a toast is likely. The toast then appears at once,
 * even if the network has broken by then.
 */
export const preloadToasts = (): void => void loadToasts().catch(() => {});
