/** Sentences for operators about the system's errors at the start. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Settings } from './settings.ts';

/** @param error one of the system, or of SQLite, which has an `errcode` alone @returns what to do, or the error's own message */
export function explainError(
  error: NodeJS.ErrnoException & { errcode?: number },
  { dataDir, host, port }: Pick<Settings, 'dataDir' | 'host' | 'port'>,
): string {
  const { code, syscall, path, errcode, message } = error;
  if (code === 'EADDRINUSE')
    return `Another program listens on port ${port} of ${host} (EADDRINUSE). Stop it, or choose another port, such as PORT=8080.`;
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    return `The server cannot listen on port ${port} of ${host} (${code}). Correct HOST (localhost, or 0.0.0.0 for all addresses) or PORT (above 1023).`;
  const isOfFolder = path?.startsWith(dataDir) || dataDir.startsWith(path ?? '\0');
  if (errcode === undefined && !isOfFolder) return message;
  return `The server may not write in DATA_DIR (${dataDir}): ${message}. The folder and its files must belong to the user with the id ${process.getuid?.() ?? '(yours)'}, on a disk with free space.`;
}

/**
 * A folder that is missing will be made. SQLite and a recursive `mkdir` do not pass the system's message on.
 *
 * @throws the system's error if the server could not write there
 */
export function checkFolder({ dataDir, files }: Pick<Settings, 'dataDir' | 'files'>): void {
  let place = dataDir;
  while (!existsSync(place)) place = dirname(place);
  if (!statSync(place).isDirectory())
    throw new Error(`DATA_DIR (${dataDir}) is a file, or is below one. Name a folder.`);
  accessSync(place, constants.W_OK | constants.X_OK);
  const { lock, database } = files;
  for (const file of [lock, database, `${database}-wal`, `${database}-shm`])
    if (existsSync(file)) accessSync(file, constants.W_OK);
}
