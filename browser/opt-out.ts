/**
 * Whether this device counts its clicks: one flag, set by the switch in the footer. The inline stub reads the same flag before it
 * captures anything.
 */
export const OPT_OUT_KEY = 'counting';
export const OPTED_OUT = 'off';

export function hasOptedOut(): boolean {
  try {
    return localStorage.getItem(OPT_OUT_KEY) === OPTED_OUT;
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
