/** Sentences for operators about the codes of faults. */

/** Codes of a database that does not answer. */
const SILENT = ['ETIMEDOUT', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH'];
/** PostgreSQL starts, stops, or has no connection left. */
const BUSY = ['57P01', '57P02', '57P03', '53300'];

const OF_DISK: Record<string, string> = {
  catching_up: 'The server is reading its ledger into the index. Browsers keep their clicks.',
  low_disk_space: 'Less than MIN_FREE_MB is free on the disk of DATA_DIR. Free some space.',
  ENOSPC: 'The disk of DATA_DIR is full.',
  EDQUOT: 'The quota of the disk of DATA_DIR is used up.',
  EROFS: 'The disk of DATA_DIR is read-only.',
  EIO: 'The disk of DATA_DIR reports an error.',
  not_replicated: 'The stream of STREAM_URL does not confirm clicks. Browsers keep them.',
  EACCES: 'The server may not write in DATA_DIR.',
};

/**
 * @param code of the error for which clicks cannot be kept
 * @param database host of PostgreSQL, perhaps with a port; null: SQLite
 */
export function describeFault(code: string, database: string | null): string {
  const text = OF_DISK[code];
  if (text !== undefined) return text;
  if (database !== null) {
    if (code === 'ECONNREFUSED') return `PostgreSQL refuses connections at ${database}.`;
    if (SILENT.includes(code)) return `PostgreSQL does not answer at ${database}.`;
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `There is no host ${database}.`;
    if (BUSY.includes(code)) return `PostgreSQL at ${database} takes no connection now (${code}).`;
  }
  return `Clicks cannot be kept (${code}). The log says why.`;
}
