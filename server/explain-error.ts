/** Sentences for operators about the system's errors at the start. */
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { Settings } from './settings.ts';

/** An error of the system, or of SQLite, which has an `errcode` alone. */
type SystemError = NodeJS.ErrnoException & { errcode?: number };

/** @returns what to do, or the error's own message */
export function explainError(
  error: SystemError,
  { dataDir, host, port }: Pick<Settings, 'dataDir' | 'host' | 'port'>,
): string {
  const { code, syscall, path, errcode, message } = error;
  if (code === 'EADDRINUSE')
    return `Another program listens on port ${port} of ${host} (EADDRINUSE). Stop it, or choose another port, such as PORT=8080.`;
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    return `The server cannot listen on port ${port} of ${host} (${code}). Correct HOST (localhost, or 0.0.0.0 for all addresses) or PORT (above 1023).`;
  const isOfFolder = path?.startsWith(dataDir) || dataDir.startsWith(path ?? '\0');
  if (errcode === undefined && !isOfFolder) return message;
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return `DATA_DIR (${dataDir}) is a file, or is below one. Name a folder.`;
  const reason = whyNotWritable(dataDir) ?? (message || code);
  return `The server may not write in DATA_DIR (${dataDir}): ${reason}. The folder and its files must belong to the user with the id ${process.getuid?.() ?? '(yours)'}, on a disk with free space.`;
}

/** Asks the system about the folder or the nearest one above it, because SQLite and a recursive `mkdir` do not pass its message on. */
function whyNotWritable(folder: string): string | null {
  try {
    accessSync(folder, constants.W_OK);
    return null;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return code === 'ENOENT' && dirname(folder) !== folder
      ? whyNotWritable(dirname(folder))
      : message;
  }
}
