/**
 * Whether this device counts its clicks: one flag, set by the switch in the footer. Whether the team has marked it: another one. The
 * inline stub reads both before it captures anything.
 */
export const OPT_OUT_KEY = 'counting';
export const OPTED_OUT = 'off';
/** The server keeps the clicks and visits of a marked device, and counts them nowhere. */
export const INTERNAL_KEY = 'internal';

export const hasOptedOut = (): boolean => read(OPT_OUT_KEY) === OPTED_OUT;
/** Undefined without the mark, because JSON then leaves it out. */
export const isInternal = () => (read(INTERNAL_KEY) ? true : undefined);

/** Null where the browser refuses storage, so that no flag can be set. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Marks this device for `?internal=1` in the address, and removes the mark for `?internal=0`. Other addresses do not use the
 * storage, because its first use delays the paint.
 */
export function followAddress(search: string): void {
  const mark = new URLSearchParams(search).get(INTERNAL_KEY);
  try {
    if (mark === '1') localStorage.setItem(INTERNAL_KEY, mark);
    if (mark === '0') localStorage.removeItem(INTERNAL_KEY);
  } catch {
    // The device cannot be marked.
  }
}

/** Takes the mark out of the address bar: a link that the team copies from there must not mark its readers. */
export function hideMark(): void {
  const url = new URL(location.href);
  if (!url.searchParams.has(INTERNAL_KEY)) return;
  url.searchParams.delete(INTERNAL_KEY);
  history.replaceState(history.state, '', url);
}

type Listener = (isOff: boolean) => void;
const listeners = new Set<Listener>();

/**
 * Calls back after each change in this tab, and after each change that another tab has stored.
 *
 * @returns a function that stops the calls
 */
export function onOptOutChange(listener: Listener): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    // The key is null when somebody has cleared the whole storage.
    if (key === OPT_OUT_KEY || key === null) listener(newValue === OPTED_OUT);
  };
  listeners.add(listener);
  addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', onStorage);
  };
}

/**
 * Switches counting off or on for this device, and notifies the listeners of this tab.
 *
 * @returns false where the browser refuses to store the choice
 */
export function setOptedOut(off: boolean): boolean {
  try {
    if (off) localStorage.setItem(OPT_OUT_KEY, OPTED_OUT);
    else localStorage.removeItem(OPT_OUT_KEY);
  } catch {
    return false;
  }
  for (const listener of listeners) listener(off);
  return true;
}
