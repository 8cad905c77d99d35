/**
 * Protects data with a maximum age from a clock that has jumped ahead. The clock is trusted while it agrees with the time
 * that has passed since it was last trusted.
 */
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Tolerance for a suspended machine, because the monotonic clock does not count that time. */
export const RUNNING_TOLERANCE_MS = DAY_MS;

/** The last moment at which the clock was trusted. */
export interface ClockReference {
  /** Milliseconds since 1970. */
  wallMs: number;
  /** The monotonic clock at that moment, or at the start of the process for an earlier moment. */
  monotonicMs: number;
  /** How far the clock may be ahead of the reference plus the time since then. */
  toleranceMs: number;
}

export interface ClockGuard {
  /** Milliseconds since 1970. Null while the clock is too far ahead; then nothing may be deleted or expire by age. */
  now(): number | null;
  reference(): ClockReference;
}

export interface ClockGuardParts {
  clock: Clock;
  reference: ClockReference;
  log: Pick<Logger, 'error' | 'info'>;
  /** The newest trusted time, or a newer one that an operator has written; null: unknown. */
  readMark(): number | null;
  /** Called with the time whenever the clock is trusted. */
  onTrusted(wallMs: number): void;
}

export function createClockGuard(parts: ClockGuardParts): ClockGuard {
  const { clock, log } = parts;
  let { reference } = parts;
  let isAhead = false;

  /** Logs the change once when it begins and once when it ends. */
  const report = (aheadMs: number | null, wallMs: number) => {
    if (aheadMs !== null && !isAhead) log.error(describe(aheadMs, wallMs));
    if (aheadMs === null && isAhead) log.info('The clock is trusted again');
    isAhead = aheadMs !== null;
  };
  const isAccepted = (wallMs: number) => {
    const mark = parts.readMark() ?? Number.NEGATIVE_INFINITY;
    return mark > reference.wallMs && wallMs - mark <= RUNNING_TOLERANCE_MS;
  };

  return {
    now() {
      const wallMs = clock.now();
      const monotonicMs = clock.monotonic();
      const aheadMs = wallMs - (reference.wallMs + monotonicMs - reference.monotonicMs);
      if (aheadMs > reference.toleranceMs && !isAccepted(wallMs)) {
        report(aheadMs, wallMs);
        return null;
      }
      report(null, wallMs);
      // A clock that is behind deletes too little, which is safe, but it is not a reference.
      if (wallMs < reference.wallMs) return wallMs;
      reference = { wallMs, monotonicMs, toleranceMs: RUNNING_TOLERANCE_MS };
      parts.onTrusted(wallMs);
      return wallMs;
    },
    reference: () => reference,
  };
}

function describe(aheadMs: number, wallMs: number): string {
  const now = new Date(wallMs).toISOString();
  return (
    `The clock says ${now}, ${Math.round(aheadMs / DAY_MS)} days more than expected: ` +
    'nothing is deleted and no mail expires by age. Compare it with another clock ("date -u"). ' +
    `If it is wrong, set it right. If it is right, write the present time into clock.json in DATA_DIR, as {"newest":"${now}"}`
  );
}
