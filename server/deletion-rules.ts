/**
 * When old data may be deleted. The server's clock says how old it is, and a clock that is ahead
 * would delete table and log within a second. So no deletion trusts that clock alone.
 */
import { DAY_MS, HOUR_MS } from './time.ts';

/** Nothing is deleted for so long after a start. Milliseconds. */
export const NO_DELETION_AFTER_START_MS = HOUR_MS;
/** Upper bound of the rows, or lines of a log, that go without an announcement. */
export const MAX_UNANNOUNCED = 1000;
/** More than one row of so many is a large part, which is announced too. */
export const LARGE_PART_DIVISOR = 10;
/** How long the operator has between an announcement and the deletion. Milliseconds. */
const NOTICE_MS = DAY_MS;

/** What of a table or of a log is too old. */
export interface OldPart {
  /** Rows or lines. */
  old: number;
  /** Whether the old rows or lines are more than a tenth of all. */
  isLargePart: boolean;
  /** Whether the newest row or line is too old itself: nothing has come for all that time. */
  isNewestOld: boolean;
}

/**
 * `hold`: only a person may decide, by `site retention --yes`. `announce`: first tell the operator.
 * `wait`: not yet.
 */
export type Verdict = 'nothing' | 'hold' | 'announce' | 'wait' | 'delete';

/**
 * Decides what to do with the old part of a table or of a log.
 *
 * @param announcedMs since the announcement, by a clock that no operator sets; null: there was none
 */
export function judgeDeletion(part: OldPart, announcedMs: number | null): Verdict {
  if (part.old === 0) return 'nothing';
  if (part.isNewestOld) return 'hold';
  if (part.old <= MAX_UNANNOUNCED || !part.isLargePart) return 'delete';
  if (announcedMs === null) return 'announce';
  return announcedMs < NOTICE_MS ? 'wait' : 'delete';
}
