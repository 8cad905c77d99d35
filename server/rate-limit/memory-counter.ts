/** Requests per key in windows of time, in this process alone. */
export interface Counted {
  /** Requests in this window, this one among them. */
  current: number;
  /** Milliseconds until the window is over. */
  ttl: number;
}

/** @param remembered keys; the longest unseen are forgotten */
export function createMemoryCounter(remembered: number) {
  const windows = new Map<string, { current: number; endsAt: number }>();
  return function count(key: string, windowMs: number, now = Date.now()): Counted {
    const known = windows.get(key);
    const window = known && known.endsAt > now ? known : { current: 0, endsAt: now + windowMs };
    window.current += 1;
    // Back to the end: the map's first key is the one that was unseen longest.
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > remembered) windows.delete(windows.keys().next().value ?? '');
    return { current: window.current, ttl: window.endsAt - now };
  };
}
