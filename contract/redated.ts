const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Dates a UUID v7 at the start of another day (UTC), for browsers whose clock is ahead. Its random bits stay, so that all
 * attempts of that day have one id: the click's at our server, and its event's at PostHog.
 *
 * @param time milliseconds since 1970
 */
export function redated(id: string, time: number): string {
  const hex = (time - (time % DAY_MS)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${id.slice(13)}`;
}
