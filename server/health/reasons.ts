/** Sentences for operators about the codes of faults. */
import { describeDiskFault } from '../clicks/describe-failure.ts';
import { TABLES_ADVICE, TABLES_GONE } from '../database/is-away.ts';

/** Codes of a database that does not answer. */
const SILENT = ['ETIMEDOUT', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH'];
/** PostgreSQL starts, stops, or has no connection left. */
const BUSY = ['57P01', '57P02', '57P03', '53300'];

const OURS: Record<string, string> = {
  catching_up: 'The server is reading its ledger into the index. Browsers keep their clicks.',
};

/**
 * @param code of the error for which clicks cannot be kept
 * @param database host of PostgreSQL, perhaps with a port; null: SQLite
 */
export function describeFault(code: string, database: string | null): string {
  const text = OURS[code] ?? describeDiskFault(code);
  if (text !== null) return text;
  if (database !== null) {
    if (code === 'ECONNREFUSED') return `PostgreSQL refuses connections at ${database}.`;
    if (code === TABLES_GONE) return `PostgreSQL (${database}): ${TABLES_ADVICE}`;
    if (SILENT.includes(code)) return `PostgreSQL does not answer at ${database}.`;
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `There is no host ${database}.`;
    if (BUSY.includes(code)) return `PostgreSQL at ${database} takes no connection now (${code}).`;
  }
  return `Clicks cannot be kept (${code}). The log says why.`;
}
