/** `--stream`: copies the stream into one data folder per ledger, which the commands then read as any other. */
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStream } from '../server/clicks/stream/read-stream.ts';
import type { StreamAddress } from '../server/clicks/stream/stream-address.ts';
import { dataFiles } from '../server/data-files.ts';

/** Lines of one write. */
const BATCH_LINES = 1_000;

/**
 * The folders need as much room as the ledgers, in the system's folder for temporary files. The end of the process removes them.
 *
 * @returns the folders, the one of the first line first
 */
export async function copyStream(address: StreamAddress): Promise<string[]> {
  const top = mkdtempSync(join(tmpdir(), 'stream-'));
  process.once('exit', () => rmSync(top, { recursive: true, force: true }));
  const ledgers = new Map<string, Copy>();
  for await (const { ledgerId, text } of readStream(address)) {
    const copy = ledgers.get(ledgerId) ?? openCopy(join(top, ledgerId), ledgerId);
    ledgers.set(ledgerId, copy);
    copy.add(text);
  }
  for (const copy of ledgers.values()) copy.close();
  return [...ledgers.values()].map(({ folder }) => folder);
}

interface Copy {
  folder: string;
  add(text: string): void;
  close(): void;
}

function openCopy(folder: string, ledgerId: string): Copy {
  mkdirSync(folder);
  const files = dataFiles(folder);
  writeFileSync(files.ledgerId, `${ledgerId}\n`);
  const fd = openSync(files.ledger, 'a');
  let batch: string[] = [];
  const flush = () => {
    if (batch.length > 0) appendFileSync(fd, `${batch.join('\n')}\n`);
    batch = [];
  };
  return {
    folder,
    add(text) {
      batch.push(text);
      if (batch.length >= BATCH_LINES) flush();
    },
    close() {
      flush();
      closeSync(fd);
    },
  };
}
