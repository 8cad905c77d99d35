/** The id of a server among those that share the mails: a UUID in a file of its data folder, made once. */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** @throws an Error that says what to do, when the file has other content */
export function readServerId(file: string): string {
  if (!existsSync(file)) writeId(file, randomUUID());
  const id = readFileSync(file, 'utf8').trim();
  if (UUID.test(id)) return id;
  throw new Error(`${file} does not contain a UUID. Delete it; the server then makes another.`);
}

function writeId(file: string, id: string): void {
  const fd = openSync(file, 'w', 0o640);
  writeSync(fd, `${id}\n`);
  fsyncSync(fd);
  closeSync(fd);
}
