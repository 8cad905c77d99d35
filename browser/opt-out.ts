/**
 * Whether this device counts its clicks: one flag, set by the switch in the footer. The inline stub reads the same flag before it
 * captures anything.
 */
export const OPT_OUT_KEY = 'counting';
export const OPTED_OUT = 'off';

/** The part of localStorage that is used; null where the browser refuses storage. */
export type FlagStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function hasOptedOut(storage: FlagStorage | null): boolean {
  try {
    return storage?.getItem(OPT_OUT_KEY) === OPTED_OUT;
  } catch {
    return false; // Without storage, no visitor can have opted out.
  }
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
export function setOptedOut(storage: FlagStorage | null, off: boolean): boolean {
  try {
    if (!storage) return false;
    if (off) storage.setItem(OPT_OUT_KEY, OPTED_OUT);
    else storage.removeItem(OPT_OUT_KEY);
  } catch {
    return false;
  }
  for (const listener of listeners) listener(off);
  return true;
}
