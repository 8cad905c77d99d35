/** The time in the ledger's format. Clicks in the same millisecond share one text, which saves time under load. */

export interface Moment {
  /** Milliseconds since 1970. */
  ms: number;
  /** `2026-01-31T09:30:00.000Z` */
  iso: string;
}

export function makeClock(): () => Moment {
  let last: Moment = { ms: Number.NaN, iso: '' };
  return () => {
    const ms = Date.now();
    if (ms !== last.ms) last = { ms, iso: new Date(ms).toISOString() };
    return last;
  };
}
