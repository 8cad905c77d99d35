/**
 * Ends this process when the npm that started it has ended, because npm does not always pass its end on: killed, it would
 * leave a server on the port. Loaded only in a process that npm started.
 */
import { readFileSync } from 'node:fs';

const LOOK_MS = 500;
/** Far above `npm start`, its shell, `npm run serve` and its shell. */
const MOST_ANCESTORS = 16;

interface Ancestor {
  pid: number;
  /** Its parent at the start. */
  parent: number;
}

/** Looks at the chain of npm processes above this one twice a second. @param end called once when one of them has ended */
export function endWithParent(end: () => void): void {
  const ancestors = npmAncestors();
  const timer = setInterval(() => {
    if (ancestors.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    end();
  }, LOOK_MS).unref();
}

/** This process and its ancestors below the outermost npm. The system gives a process another parent when its own ends. */
function npmAncestors(): Ancestor[] {
  const chain: Ancestor[] = [];
  let length = 0;
  for (let pid = process.pid; chain.length < MOST_ANCESTORS; ) {
    const parent = parentOf(pid);
    if (parent === null || parent <= 1) break;
    chain.push({ pid, parent });
    const command = commandOf(parent);
    if (/^npm\b/.test(command)) length = chain.length;
    else if (!/^\S*sh\0-c\0/.test(command)) break;
    pid = parent;
  }
  return chain.slice(0, length);
}

/** On systems without /proc, only this process's own parent is known. @returns null: not known */
function parentOf(pid: number): number | null {
  if (pid === process.pid) return process.ppid;
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

/** @returns the words of the command line, each with a NUL after it; npm writes its title over them */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
