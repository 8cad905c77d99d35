/** Notes when each click appears in a ledger, by reading what is new in it again and again. */
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const LOOK_MS = 20;
const CHUNK_BYTES = 256 * 1024;
const ID = /"id":"([0-9a-f-]{36})"/;

/** A line of a click, seen in the ledger of a server. */
export interface SeenLine {
  /** Place of the ledger in the list. */
  ledger: number;
  /** Milliseconds since 1970. */
  at: number;
}

export interface LedgerFollower {
  /** Every line by the id of its click. */
  lines: Map<string, SeenLine[]>;
  /** Reads what is left, and ends. */
  stop(): Promise<void>;
}

export function followLedgers(files: readonly string[]): LedgerFollower {
  const lines = new Map<string, SeenLine[]>();
  const readers = files.map((file, ledger) =>
    makeReader(file, (id) => {
      lines.set(id, [...(lines.get(id) ?? []), { ledger, at: Date.now() }]);
    }),
  );
  let isOver = false;
  const follow = async () => {
    while (!isOver) {
      for (const { read } of readers) await read();
      await wait(LOOK_MS);
    }
    for (const { read, close } of readers) {
      await read();
      await close();
    }
  };
  const end = follow();
  return {
    lines,
    stop() {
      isOver = true;
      return end;
    },
  };
}

/** Makes a reader of a ledger. `read` reads the complete lines since its last call. */
function makeReader(file: string, onId: (id: string) => void) {
  let handle: FileHandle | null = null;
  let offset = 0;
  const bytes = Buffer.alloc(CHUNK_BYTES);
  const read = async () => {
    // The file does not exist before the server's first start.
    handle ??= await open(file).catch(() => null);
    for (;;) {
      const size = (await handle?.read(bytes, 0, CHUNK_BYTES, offset))?.bytesRead ?? 0;
      // A server cuts an incomplete line off after a full disk, so only complete lines count as read.
      const end = bytes.subarray(0, size).lastIndexOf('\n') + 1;
      if (end === 0) return;
      offset += end;
      for (const line of bytes.toString('utf8', 0, end).split('\n')) {
        const id = ID.exec(line)?.[1];
        if (id) onId(id);
      }
    }
  };
  return { read, close: async () => handle?.close() };
}
