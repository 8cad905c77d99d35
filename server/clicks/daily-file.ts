/**
 * Files of lines, one a day (UTC), such as clicks-2026-01-31.jsonl. The server deletes only files
 * that it names so.
 */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { dayOf } from '../time.ts';

/** @param name such as `clicks` */
export function openDailyFile(folder: string, name: string) {
  let file: number | null = null;
  /**
   * Size of the open file after this process's last line, in bytes; 0: not known yet. If the file
   * has another size, another process has appended to it.
   */
  let ownEnd = 0;
  const close = (): void => {
    if (file !== null) closeSync(file);
    file = null;
    ownEnd = 0;
  };
  const open = (): number => {
    const today = join(folder, `${name}-${dayOf(Date.now())}.jsonl`);
    // The file of the day before has another inode. So has one that an operator or a program has
    // moved or deleted, with its lines.
    const { ino } = statSync(today, { throwIfNoEntry: false }) ?? {};
    if (file !== null && fstatSync(file).ino !== ino) close();
    file ??= openSync(today, 'a+', 0o640);
    if (fstatSync(file).size === ownEnd) return file;
    endLastLine(file);
    ownEnd = fstatSync(file).size;
    return file;
  };
  return {
    /**
     * Appends whole lines.
     *
     * @throws the system's error, such as ENOSPC; a part of the text may then be in the file
     */
    append(text: string): void {
      try {
        appendFileSync(open(), text);
        ownEnd += Buffer.byteLength(text);
      } catch (cause) {
        // The next call opens the file again, and ends the line that a full disk has cut.
        close();
        throw cause;
      }
    },
    size: () => fstatSync(open()).size,
    close,
  };
}

/**
 * Ends the last line of a file, so that the next line is not joined to it. A killed server, a power
 * cut or a full disk may have left half a line.
 */
function endLastLine(fd: number): void {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  if (size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last.toString() !== '\n')
    appendFileSync(fd, '\n');
}

/** A daily file that the server has made. */
export interface DailyFile {
  path: string;
  /** In UTC: 2026-01-31. */
  day: string;
}

/** The end of a daily file's name. */
const DAY_AND_TYPE = /^-(\d{4}-\d{2}-\d{2})\.jsonl$/;

/** @param name such as `clicks` @returns the files, the oldest day first */
export function listDailyFiles(folder: string, name: string): DailyFile[] {
  const ends = readdirSync(folder)
    .filter((file) => file.startsWith(name))
    .map((file) => file.slice(name.length));
  const days = ends.flatMap((end) => DAY_AND_TYPE.exec(end)?.[1] ?? []);
  return days.sort().map((day) => ({ path: join(folder, `${name}-${day}.jsonl`), day }));
}
