/**
 * Whether this device counts its clicks: one flag, set by the switch in the footer. Whether the team has marked it: another one. The
 * inline stub reads both before it captures anything.
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
 * Marks this device for `?internal=1` in the address, and removes the mark for `?internal=0`. Other addresses do not use the
 * storage, because its first use delays the paint.
 */
export function followAddress(search: string): void {
  const mark = new URLSearchParams(search).get(INTERNAL_KEY);
  if (mark === '1') tryStorage((storage) => storage.setItem(INTERNAL_KEY, mark));
  if (mark === '0') tryStorage((storage) => storage.removeItem(INTERNAL_KEY));
}

/** Takes the mark out of the address bar: a link that the team copies from there must not mark its readers. */
export function hideMark(): void {
  const url = new URL(location.href);
  if (!url.searchParams.has(INTERNAL_KEY)) return;
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
