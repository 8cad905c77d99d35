/** The browser's localStorage, or null where the browser refuses it (reading the property can throw). */
export function deviceStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
