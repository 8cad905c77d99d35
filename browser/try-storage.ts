/**
 * Uses a storage. Undefined where the browser refuses it: reading the property can throw, and so
 * can writing into a full one.
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
