/** `clicks tail`: prints the ledger's last lines unchanged, and then new ones. */
import { existsSync, statSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ledgerFiles, readLedger } from '../server/clicks/ledger/read-ledger.ts';
import { readCount } from './usage-error.ts';

interface Options {
  follow?: boolean | undefined;
  lines?: string | undefined;
}

/** The position up to which the file with this inode is printed. */
interface Place {
  file: string;
  offset: number;
}

/** With `follow` it runs until the process ends. After a rotation it continues with the new file. */
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

/** Waits for the next change from before it reads, so that it misses no line in between. */
async function follow(path: string, from: Place, print: (text: string) => void) {
  const changes = watch(dirname(path))[Symbol.asyncIterator]();
  for (let place = from; ; ) {
    const change = changes.next();
    place = await printFrom(path, place, print);
    await change;
  }
}

/** Prints new lines; a new file under the name is printed from its start. @returns the new position */
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
