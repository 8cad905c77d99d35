/** The browser's localStorage, or null where it is refused (merely touching it can throw). */
export function deviceStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
