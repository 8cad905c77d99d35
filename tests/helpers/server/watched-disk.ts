/** The real file system for a ledger. It records its calls, and fails when a test says so. */
import * as fs from 'node:fs';
import { basename } from 'node:path';
import type { Disk } from '../../../server/clicks/ledger/disk.ts';

type Call = 'write' | 'sync' | 'truncate';

/** Delay of each sync. An answer that does not wait for the sync arrives before it. */
const SYNC_MS = 50;

export function watchDisk() {
  const names = new Map<number, string>();
  /** `write clicks.jsonl`, `synced clicks.jsonl`, `synced folder`, …, in order. A test may add entries. */
  const events: string[] = [];
  const broken = new Map<Call, string>();
  let onWritten: (() => void) | null = null;
  /** Syncs that wait for `release`; null: syncs do not wait. */
  let held: (() => void)[] | null = null;
  const check = (call: Call) => {
    const code = broken.get(call);
    if (code) throw Object.assign(new Error(`${code}: the test says so`), { code });
  };
  const note = (what: string, fd: number) => void events.push(`${what} ${names.get(fd)}`);
  const disk = {
    ...fs,
    openSync(path: string, flags: string, mode?: number) {
      const fd = fs.openSync(path, flags, mode);
      names.set(fd, fs.fstatSync(fd).isDirectory() ? 'folder' : basename(path));
      return fd;
    },
    /** A broken disk writes a part of the bytes, like a full one. */
    writeSync(fd: number, bytes: Buffer, offset = 0, length = bytes.length - offset, at?: number) {
      if (broken.has('write') && length > 1) fs.writeSync(fd, bytes, offset, length >> 1, at);
      check('write');
      note(at === undefined ? 'write' : 'rewrite', fd);
      const written = fs.writeSync(fd, bytes, offset, length, at);
      onWritten?.();
      onWritten = null;
      return written;
    },
    fdatasync(fd: number, done: (cause: Error | null) => void) {
      if (held) return void held.push(() => disk.fdatasync(fd, done));
      fs.fdatasync(fd, (cause) => {
        setTimeout(() => {
          try {
            check('sync');
            note('synced', fd);
            done(cause);
          } catch (fault) {
            done(fault as Error);
          }
        }, SYNC_MS);
      });
    },
    fsyncSync(fd: number) {
      fs.fsyncSync(fd);
      note('synced', fd);
    },
    ftruncateSync(fd: number, length: number) {
      check('truncate');
      fs.ftruncateSync(fd, length);
      note('truncate', fd);
    },
  };
  return {
    disk: disk as unknown as Disk,
    events,
    /** Makes these calls fail with this code. */
    break(code: string, ...calls: Call[]) {
      for (const call of calls) broken.set(call, code);
    },
    mend: () => broken.clear(),
    /** Makes every sync wait. */
    hold() {
      held = [];
    },
    release() {
      const waiting = held ?? [];
      held = null;
      for (const sync of waiting) sync();
    },
    /** Calls the function between the next write and its sync. */
    afterNextWrite(act: () => void) {
      onWritten = act;
    },
  };
}
