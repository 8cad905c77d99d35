/** Files of lines, one a day (UTC), such as clicks-2026-01-31.jsonl. The server deletes only files that it names so. */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { dayOf } from './store-clicks.ts';

export interface DailyFile {
  /** Appends whole lines. @throws the system's error, such as ENOSPC; nothing of the text is then in the file */
  append(text: string): void;
  /** Bytes of today's file. */
  size(): number;
  close(): void;
}

/** @param name such as `clicks` */
export function openDailyFile(
  folder: string,
  name: string,
  now: () => number = Date.now,
): DailyFile {
  let day = '';
  let file: number | null = null;
  const open = (): number => {
    const today = dayOf(now());
    if (file !== null && day === today) return file;
    if (file !== null) closeSync(file);
    file = null;
    file = openSync(join(folder, fileName(name, today)), 'a+', 0o640);
    endLastLine(file);
    day = today;
    return file;
  };
  return {
    append(text) {
      const fd = open();
      const end = fstatSync(fd).size;
      let rest = Buffer.from(text);
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
      } catch (cause) {
        // A full disk cuts a line. Without this, the next line would be joined to it.
        ftruncateSync(fd, end);
        throw cause;
      }
    },
    size: () => fstatSync(open()).size,
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

/** A killed server, or a power cut, may have left half a line. The next one must not be joined to it. */
function endLastLine(fd: number): void {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  if (size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last.toString() !== '\n')
    writeSync(fd, '\n');
}

const fileName = (name: string, day: string) => `${name}-${day}.jsonl`;

/**
 * Deletes the files of the days before that time.
 *
 * @param before milliseconds since 1970
 * @returns the names of the deleted files
 */
export function deleteDailyFiles(folder: string, name: string, before: number): string[] {
  const old = readdirSync(folder).filter((file) => {
    const day = /^(.+)-(\d{4}-\d{2}-\d{2})\.jsonl$/.exec(file);
    return day?.[1] === name && String(day[2]) < dayOf(before);
  });
  for (const file of old) rmSync(join(folder, file), { force: true });
  return old;
}
