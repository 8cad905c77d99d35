/** Finds files in a data folder that look like ledgers but are not read, because rotation gives no such names. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { dataFiles } from '../../data-files.ts';
import { isLedgerFile } from './read-ledger.ts';

/** Names that an operator may give to a ledger or to a part of it. */
const LIKE_LEDGER = /click|\.jsonl/i;

/** Files and folders next to a ledger that are not read and not the server's own. */
export function ignoredFiles(path: string): string[] {
  return unknownFiles(path).filter((file) => LIKE_LEDGER.test(basename(file)));
}

/** Everything in a ledger's folder that the server has not made. */
export function unknownFiles(path: string): string[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const isRotated = isLedgerFile(path);
  const others = Object.values(dataFiles(folder)).filter((file) => file !== path);
  /** With the companions of SQLite and copies that the server moved aside. */
  const isOwn = (file: string) =>
    others.some((own) => file === own || file.startsWith(`${own}-`) || file.startsWith(`${own}.`));
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((file) => file !== path && !isOwn(file))
    .filter((file) => !(file.startsWith(path) && isRotated(file)));
}

/** @param ignored files, as from `ignoredFiles` @returns advice for the operator */
export function describeIgnored(ignored: string[], path: string): string {
  const name = basename(path);
  return (
    `Not read, because no ledger file has such a name: ${ignored.join(', ')}. ` +
    `Rotated files are called ${name}-20260131, ${name}-20260131-093000 or ${name}.1, each also with .gz.`
  );
}
