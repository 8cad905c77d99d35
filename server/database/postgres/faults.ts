/** Translates errors of PostgreSQL and its driver into sentences for operators. */
import { DatabaseFault } from '../database.ts';

/** Codes of errors that only an operator can correct: wrong password, user, database or rights. */
const LASTING_CODES = ['28P01', '28000', '3D000', '42501'];
/**
 * Codes of errors about prepared statements: one exists already, or does not exist. They show that
 * a pooler gives the connection's transactions to several sessions.
 */
const CODES_OF_SHARED_SESSIONS = ['42P05', '26000'];
/** The code of a statement that `lock_timeout` has ended. */
const LOCKED_CODE = '55P03';

/** The form of a PostgreSQL error code. Codes of the system and of TLS are longer. */
const SQLSTATE = /^[\dA-Z]{5}$/;

/** The code of a DatabaseFault if PostgreSQL did not answer in time. */
export const LATE_CODE = 'ETIMEDOUT';
/** The driver's message if a query has timed out. */
const READ_TIMEOUT = 'Query read timeout';
export const isReadTimeout = (cause: unknown): boolean => (cause as Error).message === READ_TIMEOUT;
const SHARED_SESSIONS_TEXT =
  "this is a pooler in transaction mode; give the server's own address in DATABASE_URL, or a pool in session mode";
const SHARED_SESSIONS_CODE = 'pooler';

/** Puts the name of a PostgreSQL server in front of a message. @param name from `nameOfDatabase` */
export const describeFault = (name: string, text: string): string =>
  `PostgreSQL (${name}): ${text}`;

/** Makes the fault for a connection whose transactions run in several sessions of PostgreSQL. */
export const makeSharedSessionsFault = (name: string): DatabaseFault =>
  new DatabaseFault(describeFault(name, `${SHARED_SESSIONS_TEXT}.`), SHARED_SESSIONS_CODE);

/**
 * Whether a starting server should exit with this fault, because only an operator can correct it.
 */
export const endsStart = ({ code }: DatabaseFault): boolean =>
  [...LASTING_CODES, 'newer', SHARED_SESSIONS_CODE].includes(code);

/**
 * Converts an error to a DatabaseFault with a sentence for operators.
 *
 * @param name the server's name, from `nameOfDatabase`
 */
export function toFault(cause: unknown, name: string): DatabaseFault {
  if (cause instanceof DatabaseFault) return cause;
  const { message, code } = cause as Error & { code?: string };
  const fault = (text: string, own: string) => new DatabaseFault(describeFault(name, text), own);
  const parameter = /unsupported startup parameter(?: in options)?: (\w+)/.exec(message)?.[1];
  if (parameter)
    return fault(
      `this is a pooler that does not take \`${parameter}\`. Remove it from DATABASE_URL, or give the server's own address.`,
      'parameter',
    );
  if (/statement pooling/.test(message)) return makeSharedSessionsFault(name);
  if (code === undefined) return faultWithoutCode(message, fault);
  if (LASTING_CODES.includes(code))
    return fault(`${message}. Check DATABASE_URL and the user's rights.`, code);
  if (CODES_OF_SHARED_SESSIONS.includes(code))
    return fault(`${message}: ${SHARED_SESSIONS_TEXT}.`, SHARED_SESSIONS_CODE);
  if (code === LOCKED_CODE)
    return fault(`another session locks what this server needs (${message}).`, code);
  const isNamed = SQLSTATE.test(code) || message.includes(code);
  return fault(isNamed ? message : `${message} (${code})`, code);
}

/** Makes a fault of an error without a code: the driver's own timeouts, and ended connections. */
function faultWithoutCode(message: string, fault: (text: string, code: string) => DatabaseFault) {
  if (message === READ_TIMEOUT) return fault('no answer to a statement in time.', LATE_CODE);
  const isLate = /timeout|terminated|connection error/i.test(message);
  return fault(message || 'unknown error', isLate ? LATE_CODE : 'unknown');
}
