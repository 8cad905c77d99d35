/**
 * Log files with one file a day (UTC), such as clicks-2026-01-31.jsonl. Retention deletes only
 * files with such names.
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

/**
 * Opens the daily log file for appending, and changes to a new file at midnight (UTC).
 *
 * @param folder DATA_DIR
 * @param name the first part of the file's name, such as `clicks`
 */
export function openDailyFile(folder: string, name: string) {
  let file: number | null = null;
  /**
   * Size of the open file after this process's last line, in bytes. 0: not known yet. If the file
   * has another size, another process has appended to it.
   */
  let sizeAfterOwnWrite = 0;
  const close = (): void => {
    if (file !== null) closeSync(file);
    file = null;
    sizeAfterOwnWrite = 0;
  };
  const open = (): number => {
    const today = join(folder, `${name}-${dayOf(Date.now())}.jsonl`);
    // A changed inode means another file: a new day has begun, or somebody has moved or deleted the
    // open file.
    const { ino } = statSync(today, { throwIfNoEntry: false }) ?? {};
    if (file !== null && fstatSync(file).ino !== ino) close();
    file ??= openSync(today, 'a+', 0o640);
    if (fstatSync(file).size === sizeAfterOwnWrite) return file;
    endLastLine(file);
    sizeAfterOwnWrite = fstatSync(file).size;
    return file;
  };
  return {
    /**
     * Appends complete lines.
     *
     * @param text one or more lines, each with its line break
     * @throws the system's error, such as ENOSPC. Part of the text may be in the file then
     */
    append(text: string): void {
      try {
        appendFileSync(open(), text);
        sizeAfterOwnWrite += Buffer.byteLength(text);
      } catch (cause) {
        // A full disk may have left half a line. The next call opens the file again, and ends that
        // line.
        close();
        throw cause;
      }
    },
    /** Size of today's file in bytes. */
    size: () => fstatSync(open()).size,
    close,
  };
}

/**
 * Adds a line break if the file's last line has none, so that the next line starts on its own. A
 * killed server, a power cut or a full disk may leave half a line.
 */
function endLastLine(fd: number): void {
  const { size } = fstatSync(fd);
  const lastByte = Buffer.alloc(1);
  if (size > 0 && readSync(fd, lastByte, 0, 1, size - 1) === 1 && lastByte.toString() !== '\n')
    appendFileSync(fd, '\n');
}

/** A log file of one day. */
export interface DailyFile {
  path: string;
  /** The day in UTC, such as 2026-01-31. */
  day: string;
}

/** The end of a daily file's name: its day and its type. */
const DAY_AND_TYPE = /^-(\d{4}-\d{2}-\d{2})\.jsonl$/;

/**
 * Lists the daily log files in a folder, the oldest day first.
 *
 * @param name the first part of the files' names, such as `clicks`
 */
export function listDailyFiles(folder: string, name: string): DailyFile[] {
  const suffixes = readdirSync(folder)
    .filter((file) => file.startsWith(name))
    .map((file) => file.slice(name.length));
  const days = suffixes.flatMap((end) => DAY_AND_TYPE.exec(end)?.[1] ?? []);
  return days.sort().map((day) => ({ path: join(folder, `${name}-${day}.jsonl`), day }));
}
