/**
 * Two flags of this device: whether it counts clicks, which the switch in the footer sets, and whether the team has
 * marked it. The inline stub reads both before it stores a click.
 */
import { tryStorage } from './try-storage.ts';

export const OPT_OUT_KEY = 'counting';
export const OPTED_OUT = 'off';
/** The server keeps the clicks and visits of a marked device, and counts them nowhere. */
export const INTERNAL_KEY = 'internal';

export const hasOptedOut = (): boolean => read(OPT_OUT_KEY) === OPTED_OUT;
/** Whether the browser asks not to be tracked: Global Privacy Control, or the older Do Not Track. */
export const asksForPrivacy = (): boolean =>
  (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true ||
  navigator.doNotTrack === '1';
/** Undefined without the mark, because JSON then leaves it out. */
export const isInternal = () => (read(INTERNAL_KEY) ? true : undefined);

const read = (key: string) => tryStorage((storage) => storage.getItem(key));

/**
 * Marks this device as the team's for `1`, and removes the mark for `0`. Any other value does not use the storage,
 * because its first use delays the paint.
 *
 * @param mark the parameter `internal` of the page's address
 */
export function setInternal(mark: string | null): void {
  if (mark === '1') tryStorage((storage) => storage.setItem(INTERNAL_KEY, mark));
  if (mark === '0') tryStorage((storage) => storage.removeItem(INTERNAL_KEY));
}

/**
 * Takes the mark out of the address bar: a link that the team copies from there must not mark its readers.
 *
 * @param query the parameters of the page's address
 */
export function hideMark(query: URLSearchParams): void {
  if (!query.has(INTERNAL_KEY)) return;
  const url = new URL(location.href);
  url.searchParams.delete(INTERNAL_KEY);
  history.replaceState(history.state, '', url);
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
