import { LOG_DAYS } from './limits.ts';

interface Retention {
  clickRetentionDays: number;
  personalDataDays: number;
}

/**
 * Returns how many days the server keeps its log files: LOG_DAYS, but no longer than the table
 * keeps clicks and their identifying columns.
 */
export const logDays = ({ clickRetentionDays, personalDataDays }: Retention): number =>
  Math.min(LOG_DAYS, clickRetentionDays || LOG_DAYS, personalDataDays || LOG_DAYS);
