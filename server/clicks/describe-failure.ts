/** Sentences for operators about the reasons for which clicks cannot be kept, for the log and /healthz. */
import type { Logger } from 'pino';

/** By error code. */
const OF_DISK: Record<string, string> = {
  low_disk_space: 'Less than MIN_FREE_MB is free on the disk of DATA_DIR. Free some space.',
  ENOSPC: 'The disk of DATA_DIR is full.',
  EDQUOT: 'The quota of the disk of DATA_DIR is used up.',
  EROFS: 'The disk of DATA_DIR is read-only.',
  EIO: 'The disk of DATA_DIR reports an error.',
  EACCES: 'The server may not write in DATA_DIR.',
};

/** @param code an error's code @returns null: the code is not one of the disk's */
export const describeDiskFault = (code: string): string | null => OF_DISK[code] ?? null;

/** Codes of our own errors. Their messages are sentences for operators. */
const OURS = [
  ...['low_disk_space', 'ledger_changed', 'index_moved', 'commit_in_doubt'],
  // PostgreSQL's errors without a code (database/connect-postgres.ts).
  'unknown',
];
/** A code of the operating system (ENOSPC), or one of PostgreSQL (42P01). */
const OF_SYSTEM = /^(?:E[A-Z\d]+|[\dA-Z]{5})$/;
/** Primary codes of SQLite: BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB. */
const OF_SQLITE = [5, 8, 10, 11, 13, 14, 26];

/** Begins with the reason. A stack follows only if the reason is not a known one. */
export function logFailure(log: Pick<Logger, 'error'>, cause: unknown): void {
  const { reason, isKnown } = describeFailure(cause);
  const message = `Clicks cannot be kept: ${reason}`;
  if (isKnown) log.error(message);
  else log.error({ err: cause }, message);
}

/** `isKnown`: a stack would add nothing to the reason. */
function describeFailure(cause: unknown): { reason: string; isKnown: boolean } {
  const { code, errcode } = cause as { code?: unknown; errcode?: unknown };
  const message = cause instanceof Error ? cause.message : String(cause);
  if (typeof errcode === 'number' && OF_SQLITE.includes(errcode & 0xff))
    return { reason: `The click index cannot be written: ${message}.`, isKnown: true };
  const isKnown = typeof code === 'string' && (OURS.includes(code) || OF_SYSTEM.test(code));
  const ofDisk = code === 'low_disk_space' ? null : describeDiskFault(String(code));
  const reason = ofDisk === null ? message : `${ofDisk.replace(/\.$/, '')} (${message}).`;
  return { reason, isKnown };
}
