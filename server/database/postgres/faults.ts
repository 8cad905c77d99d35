/** Errors of PostgreSQL and its driver, in words for operators. */
import { DatabaseFault } from '../database.ts';

/** Errors that no time will mend: of the password, the user, the database and its rights. */
const LASTING_CODES = ['28P01', '28000', '3D000', '42501'];
/** A prepared statement that another session has made, or that this session has not made. */
const CODES_OF_SHARED_SESSIONS = ['42P05', '26000'];
/** The code of a statement that `lock_timeout` has ended. */
const LOCKED_CODE = '55P03';

/** The form of PostgreSQL's codes. Those of the system and of TLS are longer. */
const SQLSTATE = /^[\dA-Z]{5}$/;

/** The code of an answer that did not come in time. */
export const LATE = 'ETIMEDOUT';
/** The driver's message for it. */
const READ_TIMEOUT = 'Query read timeout';
export const isReadTimeout = (cause: unknown): boolean => (cause as Error).message === READ_TIMEOUT;
const SHARED_SESSIONS =
  "this is a pooler in transaction mode; give the server's own address in DATABASE_URL, or a pool in session mode";
const SHARED_CODE = 'pooler';

/** Names a PostgreSQL in a message. `name` is that of `nameOf`. */
export const describe = (name: string, text: string): string => `PostgreSQL (${name}): ${text}`;

/** Makes the fault of a connection whose transactions run in several sessions. */
export const sharedSessions = (name: string): DatabaseFault =>
  new DatabaseFault(describe(name, `${SHARED_SESSIONS}.`), SHARED_CODE);

/** Whether a start should end with this fault, because only an operator can help. */
export const endsStart = ({ code }: DatabaseFault): boolean =>
  [...LASTING_CODES, 'newer', SHARED_CODE].includes(code);

/** @param name of the server that the error is about, as `nameOf` makes it */
export function toFault(cause: unknown, name: string): DatabaseFault {
  if (cause instanceof DatabaseFault) return cause;
  const { message, code } = cause as Error & { code?: string };
  const fault = (text: string, own: string) => new DatabaseFault(describe(name, text), own);
  const parameter = /unsupported startup parameter(?: in options)?: (\w+)/.exec(message)?.[1];
  if (parameter)
    return fault(
      `this is a pooler that does not take \`${parameter}\`. Remove it from DATABASE_URL, or give the server's own address.`,
      'parameter',
    );
  if (/statement pooling/.test(message)) return sharedSessions(name);
  if (code === undefined) return withoutCode(message, fault);
  if (LASTING_CODES.includes(code))
    return fault(`${message}. Check DATABASE_URL and the user's rights.`, code);
  if (CODES_OF_SHARED_SESSIONS.includes(code))
    return fault(`${message}: ${SHARED_SESSIONS}.`, SHARED_CODE);
  if (code === LOCKED_CODE)
    return fault(`another session locks what this server needs (${message}).`, code);
  const isNamed = SQLSTATE.test(code) || message.includes(code);
  return fault(isNamed ? message : `${message} (${code})`, code);
}

/** The driver reports its own limits of time, and the end of a connection, without a code. */
function withoutCode(message: string, fault: (text: string, code: string) => DatabaseFault) {
  if (message === READ_TIMEOUT) return fault('no answer to a statement in time.', LATE);
  const isLate = /timeout|terminated|connection error/i.test(message);
  return fault(message || 'unknown error', isLate ? LATE : 'unknown');
}
