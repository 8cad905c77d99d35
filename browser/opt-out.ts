/**
 * Two flags in localStorage: the visitor has opted out of counting (the switch in the footer), and
 * the device belongs to the team. The inline stub reads both before it stores a click.
 */
import { tryStorage } from './try-storage.ts';

export const OPT_OUT_KEY = 'counting';
export const OPTED_OUT = 'off';
/** Key of a device's mark as the team's. The server keeps its clicks and views uncounted. */
export const INTERNAL_KEY = 'internal';

export const hasOptedOut = (): boolean => readEntry(OPT_OUT_KEY) === OPTED_OUT;
/** Whether the browser sends Global Privacy Control, or the older Do Not Track. */
export const asksForPrivacy = (): unknown =>
  (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl ||
  navigator.doNotTrack === '1';
/** Whether this device is marked as the team's. */
export const isInternal = (): boolean => !!readEntry(INTERNAL_KEY);

/**
 * Reads an entry of localStorage; null where the browser denies access. It does not use
 * `tryStorage`, which would add bytes to the inline script of every page.
 */
const readEntry = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/**
 * Marks this device as the team's, or removes the mark. Call it only when a person presses the
 * switch: if opening a link were enough, a stranger's link could take visitors out of the figures.
 *
 * @returns false if the browser refuses to store the mark
 */
export function setInternal(isTeam: boolean): boolean {
  const isStored = tryStorage((storage) => {
    if (isTeam) storage.setItem(INTERNAL_KEY, '1');
    else storage.removeItem(INTERNAL_KEY);
    return true;
  });
  return isStored === true;
}

/**
 * Removes `?internal=1` from the address bar, so that a link which the team copies from there does
 * not show the team's switch to others.
 *
 * @param query the parameters of the page's address
 * @returns true if the address had it: the page is to show the team's switch
 */
export function takeTeamParameter(query: URLSearchParams): boolean {
  if (query.get(INTERNAL_KEY) !== '1') return false;
  const others = new URLSearchParams(query);
  others.delete(INTERNAL_KEY);
  const search = String(others) && `?${others}`;
  history.replaceState(history.state, '', location.pathname + search + location.hash);
  return true;
}

/**
 * Calls the listener after each change of the opt-out, in this tab or another one.
 *
 * @param listener gets true if the visitor has opted out
 * @returns a function that removes the listener
 */
export function onOptOutChange(listener: (isOff: boolean) => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    // The key of a storage event is null after `localStorage.clear()`.
    if (key === OPT_OUT_KEY || key === null) listener(newValue === OPTED_OUT);
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/**
 * Stores whether the visitor has opted out, and notifies the listeners of this tab.
 *
 * @returns false if the browser refuses to store the choice
 */
export function setOptedOut(off: boolean): boolean {
  const isStored = tryStorage((storage) => {
    if (off) storage.setItem(OPT_OUT_KEY, OPTED_OUT);
    else storage.removeItem(OPT_OUT_KEY);
    return true;
  });
  if (!isStored) return false;
  // The browser fires a storage event in the other tabs only.
  dispatchEvent(
    new StorageEvent('storage', { key: OPT_OUT_KEY, newValue: off ? OPTED_OUT : null }),
  );
  return true;
}
