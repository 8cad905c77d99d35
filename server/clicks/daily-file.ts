/** Files of lines, one a day (UTC), such as clicks-2026-01-31.jsonl. The server deletes only files that it names so. */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { dayOf } from './store-clicks.ts';

/** @param name such as `clicks` */
export function openDailyFile(folder: string, name: string) {
  let path = '';
  let file: number | null = null;
  const close = (): void => {
    if (file !== null) closeSync(file);
    file = null;
  };
  const open = (): number => {
    const today = join(folder, `${name}-${dayOf(Date.now())}.jsonl`);
    // An operator, or a program, may have moved or deleted the file. Its lines would then be lost.
    const { ino } = statSync(today, { throwIfNoEntry: false }) ?? {};
    if (file !== null && path === today && fstatSync(file).ino === ino) return file;
    close();
    file = openSync(today, 'a+', 0o640);
    endLastLine(file);
    path = today;
    return file;
  };
  return {
    /** Appends whole lines. @throws the system's error, such as ENOSPC; nothing of the text is then in the file */
    append(text: string): void {
      const fd = open();
      const bytes = Buffer.from(text);
      let written = 0;
      try {
        while (written < bytes.length) written += writeSync(fd, bytes, written);
      } catch (cause) {
        // A full disk cuts a line. Without this, the next line would be joined to it.
        ftruncateSync(fd, fstatSync(fd).size - written);
        throw cause;
      }
    },
    size: () => fstatSync(open()).size,
    close,
  };
}

/** A killed server, or a power cut, may have left half a line. The next one must not be joined to it. */
function endLastLine(fd: number): void {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  if (size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last.toString() !== '\n')
    writeSync(fd, '\n');
}

/** Deletes the files of the days before that time, in milliseconds since 1970. */
export function deleteDailyFiles(folder: string, name: string, before: number): void {
  for (const file of readdirSync(folder)) {
    const day = /^(.+)-(\d{4}-\d{2}-\d{2})\.jsonl$/.exec(file);
    if (day?.[1] === name && String(day[2]) < dayOf(before))
      rmSync(join(folder, file), { force: true });
  }
}
