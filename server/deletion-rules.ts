/**
 * Decides when old data may be deleted. The age of data is computed with the server's clock, and a
 * clock that is ahead would delete table and log within a second. So no deletion relies only on
 * that clock.
 */
import { DAY_MS, HOUR_MS } from './time.ts';

/** Time after a start in which nothing is deleted. Milliseconds. */
export const NO_DELETION_AFTER_START_MS = HOUR_MS;
/** Upper bound for the rows or log lines that are deleted without an announcement. */
export const MAX_UNANNOUNCED = 1000;
/** If more than this fraction (1 / 10) of the rows are old, the deletion is announced too. */
export const LARGE_PART_DIVISOR = 10;
/** Time between an announcement and the deletion, in which the operator can react. Milliseconds. */
const NOTICE_MS = DAY_MS;

/** How much of a table or log is old enough for deletion. */
export interface OldPart {
  /** Number of old rows or lines. */
  old: number;
  /** Whether more than a tenth of all rows or lines are old. */
  isLargePart: boolean;
  /**
   * Whether even the newest row or line is old: either nothing has arrived for long, or the clock
   * is wrong.
   */
  isNewestOld: boolean;
}

/**
 * What to do. `hold`: keep the data until an operator runs `site retention --yes`. `announce`: warn
 * the operator first. `wait`: the announcement is too recent.
 */
export type Verdict = 'nothing' | 'hold' | 'announce' | 'wait' | 'delete';

/**
 * Decides about the old part of a table or log.
 *
 * @param announcedMs time since the announcement, in milliseconds, by a clock that cannot be set;
 * null: there was none
 */
export function judgeDeletion(part: OldPart, announcedMs: number | null): Verdict {
  if (part.old === 0) return 'nothing';
  if (part.isNewestOld) return 'hold';
  if (part.old <= MAX_UNANNOUNCED || !part.isLargePart) return 'delete';
  if (announcedMs === null) return 'announce';
  return announcedMs < NOTICE_MS ? 'wait' : 'delete';
}
