/**
 * Returns a function that loads a part of the page. Only its first call does. If loading fails, as
 * it does without a network, the next call loads again, and so does the browser's return to the
 * network.
 */
export function loadOnce(load: () => Promise<unknown>): () => void {
  let isLoading = false;
  const start = () => {
    if (isLoading) return;
    isLoading = true;
    load().catch(() => {
      isLoading = false;
      addEventListener('online', start, { once: true });
    });
  };
  return start;
}
