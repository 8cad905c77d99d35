/**
 * Wraps a dynamic import, so that repeated calls load it once. After a failure, the next call
 * retries, and so does the browser's `online` event.
 *
 * @param load imports a part of the page and starts it; rejects without a network
 * @returns a function that loads the part, unless that has happened or is under way
 */
export function loadOnce(load: () => Promise<unknown>): () => void {
  let hasStarted = false;
  const start = () => {
    if (hasStarted) return;
    hasStarted = true;
    load().catch(() => {
      hasStarted = false;
      addEventListener('online', start);
    });
  };
  return start;
}
