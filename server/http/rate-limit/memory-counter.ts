/** Requests per key in windows of time, in this process alone. */
export interface Counted {
  /** Requests in this window, this one among them. */
  current: number;
  /** Milliseconds until the window is over. */
  ttl: number;
}

/** Counts one more. */
export type Count = (key: string, windowMs: number, now?: number) => Counted;

/** Lines remembered per route: memory stays within a few megabytes. */
const REMEMBERED = 20_000;

/**
 * Two generations of keys: when the younger one is full the older one is dropped whole. Taking single keys out of one map
 * costs more and more with the holes that they leave at its beginning.
 *
 * @param remembered keys; beyond them, those whose window began longest ago are forgotten
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
