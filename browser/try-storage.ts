/**
 * Runs a function with localStorage, or with the storage that `open` returns. Never throws.
 *
 * @returns the function's result; undefined if the browser denies access to the storage (reading
 * `window.localStorage` can throw), or the storage is full
 */
export function tryStorage<T>(
  use: (storage: Storage) => T,
  open: () => Storage = () => localStorage,
): T | undefined {
  try {
    return use(open());
  } catch {
    return undefined;
  }
}
