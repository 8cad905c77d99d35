/** The report as the page, the CSV and the mails write it. */
import type { Counts } from './figures.ts';

/** A row of a table. */
export interface Row {
  /** The value to filter by; NONE: it has none; OTHERS: the smallest rows of a long table. */
  key: string;
  /** In words. */
  name: string;
  /** Beside the name; empty: nothing. */
  code: string;
  now: Counts;
  /** null: it may be among the smallest rows of the period before. */
  before: Counts | null;
}

/** A day of the chart, or an hour if the period is one day. */
export interface Column {
  /** `2026-11-05` or `2026-11-05T14`. */
  key: string;
  now: Counts;
  before: Counts;
  /** The same day or hour of the period before. */
  keyBefore: string;
  /** It has not ended. */
  isSoFar: boolean;
  /** Nothing of it has begun. */
  isAhead: boolean;
}

export interface Note {
  id: string;
  day: string;
  note: string;
}
