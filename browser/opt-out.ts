/**
 * Two flags of this device: whether it counts clicks, which the switch in the footer sets, and
 * whether the team has marked it. The inline stub reads both before it stores a click.
 */
import { tryStorage } from './try-storage.ts';

export const OPT_OUT_KEY = 'counting';
export const OPTED_OUT = 'off';
/** The server keeps the clicks and visits of a marked device, and counts them nowhere. */
export const INTERNAL_KEY = 'internal';

export const hasOptedOut = (): boolean => read(OPT_OUT_KEY) === OPTED_OUT;
/**
 * Whether the browser asks not to be tracked: Global Privacy Control, or the older Do Not Track.
 */
export const asksForPrivacy = (): unknown =>
  (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl ||
  navigator.doNotTrack === '1';
export const isInternal = (): boolean => !!read(INTERNAL_KEY);

/** Without `tryStorage`, because it would take bytes of every page. */
const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/**
 * Marks this device as the team's, or removes the mark. Only a person's press calls it, because a
 * stranger's link could otherwise take its readers out of the figures.
 *
 * @returns false where the browser refuses to store the mark
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
 * Whether the page's address asks for the team's switch. Takes the question out of the address bar,
 * so that no link that the team copies from there shows the switch to its readers.
 *
 * @param query the parameters of the page's address
 */
export function takeTeamQuestion(query: URLSearchParams): boolean {
  if (query.get(INTERNAL_KEY) !== '1') return false;
  const others = new URLSearchParams(query);
  others.delete(INTERNAL_KEY);
  const search = String(others) && `?${others}`;
  history.replaceState(history.state, '', location.pathname + search + location.hash);
  return true;
}

/**
 * Calls back after each change in this tab, and after each change that another tab has stored.
 *
 * @returns a function that stops the calls
 */
export function onOptOutChange(listener: (isOff: boolean) => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    // The key is null when somebody has cleared the whole storage.
    if (key === OPT_OUT_KEY || key === null) listener(newValue === OPTED_OUT);
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/**
 * Switches counting off or on for this device, and notifies the listeners of this tab.
 *
 * @returns false where the browser refuses to store the choice
 */
export function setOptedOut(off: boolean): boolean {
  const isStored = tryStorage((storage) => {
    if (off) storage.setItem(OPT_OUT_KEY, OPTED_OUT);
    else storage.removeItem(OPT_OUT_KEY);
    return true;
  });
  if (!isStored) return false;
  // Browsers send it to the other tabs only.
  dispatchEvent(
    new StorageEvent('storage', { key: OPT_OUT_KEY, newValue: off ? OPTED_OUT : null }),
  );
  return true;
}
