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

/** @param remembered keys; beyond them, those whose window began longest ago are forgotten */
export function createMemoryCounter(remembered = REMEMBERED): Count {
  const windows = new Map<string, { current: number; endsAt: number }>();
  const begin = (key: string, endsAt: number) => {
    const window = { current: 0, endsAt };
    // At the end, so that the map's first key is the one whose window began longest ago.
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > remembered) windows.delete(windows.keys().next().value ?? '');
    return window;
  };
  return function count(key: string, windowMs: number, now = Date.now()): Counted {
    const known = windows.get(key);
    const window = known && known.endsAt > now ? known : begin(key, now + windowMs);
    window.current += 1;
    return { current: window.current, ttl: window.endsAt - now };
  };
}
