/** Explains errors that have ended a start. */
import type { Settings } from './settings.ts';

/**
 * Says what to do about an error.
 *
 * @param error of the system, or of SQLite, whose errors have `errcode` instead of `code`
 * @returns advice, or the error's own message
 */
export function explainStartError(
  error: NodeJS.ErrnoException & { errcode?: number },
  { dataDir, HOST, PORT }: Pick<Settings, 'dataDir' | 'HOST' | 'PORT'>,
): string {
  const { code, syscall, path, errcode, message } = error;
  if (code === 'EADDRINUSE')
    return `Another program listens on port ${PORT} of ${HOST} (EADDRINUSE). Stop it, or choose another port, such as PORT=8080.`;
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    return `The server cannot listen on port ${PORT} of ${HOST} (${code}). Correct HOST (localhost, or 0.0.0.0 for all addresses) or PORT (above 1023).`;
  const isOfFolder = path?.startsWith(dataDir) || dataDir.startsWith(path ?? '\0');
  if (errcode === undefined && !isOfFolder) return message;
  return `The server may not write in DATA_DIR (${dataDir}): ${message}. The folder and its files must belong to the user with the id ${process.getuid?.() ?? '(yours)'}, on a disk with free space.`;
}
