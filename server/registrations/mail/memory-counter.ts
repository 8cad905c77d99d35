/** Counts requests per key in time windows, in this process only. */
export interface Counted {
  /** Number of requests in this window, this one included. */
  current: number;
  /** Milliseconds until the window ends. */
  ttl: number;
}

/** Counts a request. */
export type Count = (key: string, windowMs: number, now?: number) => Counted;

/** Number of remembered keys per route, which bounds memory to a few megabytes. */
const REMEMBERED = 20_000;

/**
 * Keeps two generations of keys: when the newer one is full, the older one is dropped whole. Deleting single keys from one map
 * becomes slower and slower, because a Map keeps deleted entries at its beginning.
 *
 * @param remembered number of keys; beyond it, the keys with the oldest windows are forgotten
 */
export function createMemoryCounter(remembered = REMEMBERED): Count {
  let young = new Map<string, Window>();
  let old = young;
  const begin = (key: string, endsAt: number) => {
    if (young.size >= remembered / 2) {
      old = young;
      young = new Map();
    }
    const window = { current: 0, endsAt };
    young.set(key, window);
    return window;
  };
  return function count(key: string, windowMs: number, now = Date.now()): Counted {
    const known = young.get(key) ?? old.get(key);
    const window = known && known.endsAt > now ? known : begin(key, now + windowMs);
    window.current += 1;
    return { current: window.current, ttl: window.endsAt - now };
  };
}

interface Window {
  current: number;
  endsAt: number;
}
