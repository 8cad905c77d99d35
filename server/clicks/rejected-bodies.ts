/**
 * Keeps rejected bodies with the reason, because they may contain a real click or show a fault of ours. The file and its
 * one predecessor stay below a size. When the disk fails, entries are dropped.
 */
import { statSync } from 'node:fs';
import { appendFile, rename } from 'node:fs/promises';
import { removeLinesBefore } from './retention/rejected-retention.ts';

interface RejectedBody {
  /** The error's code: `validation_failed`, `malformed_json`, … */
  reason: string;
  /** Error message by field. */
  fields?: Record<string, string> | undefined;
  /** The body with addresses reduced by LOG_IP, cut at 4 KB; null if it was not read. */
  body: string | null;
  contentType: string | null;
  /** Reduced by LOG_IP, as in the ledger. */
  remote_ip: string | null;
  received_at: string;
}

export interface RejectedBodies {
  add(rejected: RejectedBody): void;
  /**
   * Removes entries received before that time, in milliseconds since 1970.
   * @returns the number of removed entries
   * @throws (rejects with) the file system's error
   */
  removeBefore(time: number): Promise<number>;
  /** Waits until all added entries are written. */
  drain(): Promise<void>;
}

const BODY_CHARACTERS = 4096;
/** Upper bound of entries in memory that wait for the disk. Later ones are dropped. */
const WAITING_CHARACTERS = 1024 * 1024;

/** @param maxBytes of the file and its predecessor together */
export function openRejectedBodies(
  path: string,
  maxBytes: number,
  onError: (cause: unknown) => void,
): RejectedBodies {
  const readSize = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let size = readSize();
  let waiting = '';
  let writing: Promise<void> | null = null;

  const write = async () => {
    while (waiting !== '') {
      const text = waiting;
      waiting = '';
      try {
        if (size + text.length > maxBytes / 2 && size > 0) {
          await rename(path, `${path}.1`);
          size = 0;
        }
        await appendFile(path, text, { mode: 0o640 });
        size += Buffer.byteLength(text);
      } catch (cause) {
        onError(cause);
      }
    }
    writing = null;
  };

  const removeFrom = async (time: number) => {
    const before = await removeLinesBefore(`${path}.1`, time);
    const removed = before + (await removeLinesBefore(path, time));
    size = readSize();
    return removed;
  };

  return {
    add(rejected) {
      const body = rejected.body?.slice(0, BODY_CHARACTERS).toWellFormed() ?? null;
      const line = `${JSON.stringify({ ...rejected, body })}\n`;
      if (waiting.length + line.length > WAITING_CHARACTERS) return;
      waiting += line;
      writing ??= write();
    },
    async removeBefore(time) {
      while (writing) await writing;
      const removing = removeFrom(time);
      // Entries added meanwhile are written afterwards.
      writing = removing.then(write, write);
      return removing;
    },
    async drain() {
      while (writing) await writing;
    },
  };
}
