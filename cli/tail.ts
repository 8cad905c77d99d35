/** `clicks tail`: the ledger's last lines as they stand there, and those to come. */
import { existsSync, statSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ledgerFiles, readLedger } from '../server/clicks/ledger/read-ledger.ts';
import { readCount } from './usage-error.ts';

interface Options {
  follow?: boolean | undefined;
  lines?: string | undefined;
}

/** Up to where the file with this inode was printed. */
interface Place {
  file: string;
  offset: number;
}

/** With `follow` it ends when the process does; it goes on with the new file when the ledger is rotated. */
export async function tail(path: string, options: Options, print: (text: string) => void) {
  const wanted = readCount('lines', options.lines, 10);
  if (!existsSync(path) && ledgerFiles(path).length === 0) {
    throw new Error(`There is no ledger at ${path}. Is DATA_DIR right?`);
  }
  let last: string[] = [];
  let place: Place = { file: fileId(path), offset: 0 };
  if (existsSync(path)) {
    for await (const { lines, end } of readLedger(path)) {
      last = [...last, ...lines].slice(-wanted);
      place = { ...place, offset: end };
    }
  }
  if (last.length > 0) print(`${last.join('\n')}\n`);
  if (options.follow) await follow(path, place, print);
}

/** Asks for the next change before it reads, so that no line falls between the two. */
async function follow(path: string, from: Place, print: (text: string) => void) {
  const changes = watch(dirname(path))[Symbol.asyncIterator]();
  for (let place = from; ; ) {
    const change = changes.next();
    place = await printFrom(path, place, print);
    await change;
  }
}

/** @returns up to where the file is printed now; a new file under the name is printed from its start */
async function printFrom(path: string, from: Place, print: (text: string) => void): Promise<Place> {
  if (!existsSync(path)) return from;
  const file = fileId(path);
  let place = file === from.file ? from : { file, offset: 0 };
  for await (const { lines, end } of readLedger(path, place.offset)) {
    print(`${lines.join('\n')}\n`);
    place = { file, offset: end };
  }
  return place;
}

const fileId = (path: string) => String(statSync(path, { throwIfNoEntry: false })?.ino ?? '');
