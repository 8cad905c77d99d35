/** The longest delay in milliseconds, for pages that are never idle. */
const TIMEOUT_MS = 1000;
/** Safari has no `requestIdleCallback`. A timer of this length lets it draw the next frames first. Milliseconds. */
const WITHOUT_IDLE_MS = 200;

/** Runs the callback during the browser's next idle period. */
export function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: TIMEOUT_MS });
  else setTimeout(act, WITHOUT_IDLE_MS);
}
