import { LOG_DAYS } from './limits.ts';

interface Retention {
  clickRetentionDays: number;
  personalDataDays: number;
}

/**
 * Returns the days that the server keeps its log files: no longer than what they say of a visitor.
 */
export const logDays = ({ clickRetentionDays, personalDataDays }: Retention): number =>
  Math.min(LOG_DAYS, clickRetentionDays || LOG_DAYS, personalDataDays || LOG_DAYS);
