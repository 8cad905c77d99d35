/** Sentences for operators about the system's errors at the start. */
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { Settings } from './settings.ts';

type Place = Pick<Settings, 'dataDir' | 'host' | 'port'>;

/** @returns what to do, or the error's own message */
export function explainError(error: Error, place: Place): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isNetwork = syscall === 'listen' || syscall === 'getaddrinfo';
  return (isNetwork ? ofListening(code, place) : ofDataFolder(error, place)) ?? error.message;
}

function ofListening(code: string | undefined, { host, port }: Place): string | null {
  if (code === 'EADDRINUSE')
    return `Another program listens on port ${port} of ${host} (EADDRINUSE). Stop it, or choose another port, such as PORT=8080.`;
  if (code === 'EACCES')
    return `This user may not listen on port ${port} (EACCES). Choose a port above 1023, such as PORT=3000, behind a proxy on port ${port}.`;
  if (code === 'EADDRNOTAVAIL')
    return `${host} is not an address of this machine (EADDRNOTAVAIL). Correct HOST: localhost, or 0.0.0.0 for all addresses.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `There is no host ${host} (${code}). Correct HOST: localhost, or 0.0.0.0 for all addresses.`;
  return null;
}

/** SQLite's errors have no code of the system. */
const SQLITE_CANTOPEN = 14;
const SQLITE_READONLY = 8;
const SQLITE_FULL = 13;

function ofDataFolder(error: Error, { dataDir }: Place): string | null {
  const { code: own, path } = error as NodeJS.ErrnoException;
  const sqlite = (error as { errcode?: number }).errcode;
  const isOurs = path?.startsWith(dataDir) || dataDir.startsWith(path ?? '\0');
  if (sqlite === undefined && !isOurs) return null;
  const isVague = own === 'ENOENT' || sqlite === SQLITE_CANTOPEN;
  const code = isVague ? (whyNotWritable(dataDir) ?? own) : own;
  if (code === 'EROFS' || sqlite === SQLITE_READONLY)
    return `DATA_DIR (${dataDir}${codeIn(code)}) is on a disk that is read-only, or its files are. Make them writable, or set another DATA_DIR.`;
  if (code === 'EACCES' || code === 'EPERM' || sqlite === SQLITE_CANTOPEN)
    return `The server may not write in DATA_DIR (${dataDir}${codeIn(code)}). Give the folder and its files to ${userName()}, or set another DATA_DIR.`;
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `DATA_DIR (${dataDir}) is a file, or is below one. Name a folder.`;
  if (code === 'ENOSPC' || sqlite === SQLITE_FULL)
    return `The disk of DATA_DIR (${dataDir}) is full. Free some space, then start the server again.`;
  return null;
}

/**
 * Asks the system, because SQLite and a recursive `mkdir` do not pass its code on.
 *
 * @returns the code for the folder or the nearest one above it; null: the folder is writable
 */
function whyNotWritable(folder: string): string | null {
  try {
    accessSync(folder, constants.W_OK);
    return null;
  } catch (cause) {
    const { code = null } = cause as NodeJS.ErrnoException;
    return code === 'ENOENT' && dirname(folder) !== folder ? whyNotWritable(dirname(folder)) : code;
  }
}

const codeIn = (code: string | undefined) => (/^E[A-Z]+$/.test(code ?? '') ? `, ${code}` : '');
const userName = () => `the user with the id ${process.getuid?.() ?? '(yours)'}`;
