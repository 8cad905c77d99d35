/** Copies each part of a data folder into a backup's folder. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDamage } from '../server/clicks/index/sqlite-index.ts';
import { ledgerFiles } from '../server/clicks/ledger/read-ledger.ts';
import type { Config } from '../server/config.ts';
import { readKeyFile } from '../server/registrations/key-ring.ts';
import type { Manifest } from './backup-manifest.ts';
import { copyClickIndex, copyDatabase, describeRegistrations } from './copy-database.ts';
import { copyFile, copyOpenFile, syncPath } from './copy-file.ts';
import { closeAll, openFiles } from './open-files.ts';

type Print = (text: string) => void;

/**
 * Copies the click index, because it has the totals of deleted ledger files. A damaged index is left out: the server
 * builds another.
 */
export function copyIndex({ files, databaseUrl }: Config, target: string, print: Print): void {
  if (databaseUrl || !existsSync(files.clickIndex)) return;
  const copy = join(target, basename(files.clickIndex));
  try {
    copyClickIndex(files.clickIndex, copy);
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    rmSync(copy);
    print(
      `${files.clickIndex} is damaged and was left out; the server builds it from the ledger.\n`,
    );
  }
}

/** A damaged file is left out: the server then sends recent clicks to PostHog again, which merges them. */
export function copyReceipts({ files, databaseUrl }: Config, target: string, print: Print): void {
  if (databaseUrl || !existsSync(files.receipts)) return;
  const copy = join(target, basename(files.receipts));
  try {
    copyDatabase(files.receipts, copy);
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    rmSync(copy);
    print(`${files.receipts} is damaged and was left out; PostHog gets recent clicks again.\n`);
  }
}

/** Leaves out `x.gz` while `x` exists, because logrotate is still writing it. */
export function copyLedgers({ files }: Config, target: string): void {
  copyLines(target, () => {
    const all = ledgerFiles(files.ledger);
    return all.filter((file) => !file.endsWith('.gz') || !all.includes(file.slice(0, -3)));
  });
}

export function copyRejected({ files }: Config, target: string): void {
  copyLines(target, () =>
    [files.rejectedBodies, `${files.rejectedBodies}.1`].filter((path) => existsSync(path)),
  );
}

export function copyDeletionNotes({ files }: Config, target: string): void {
  copyLines(target, () => [files.deletedClicks].filter((path) => existsSync(path)));
}

function copyLines(target: string, list: () => string[]): void {
  const opened = openFiles(list);
  try {
    for (const { path, fd } of opened)
      copyOpenFile(fd, join(target, basename(path)), { wholeLines: !path.endsWith('.gz') });
  } finally {
    closeAll(opened);
  }
}

export function copyKeys({ files, registrations }: Config, target: string, print: Print): void {
  if (registrations.keys || registrations.keysFile) {
    print('REGISTRATION_KEYS or REGISTRATION_KEYS_FILE sets the keys: save them yourself.\n');
  } else if (existsSync(files.registrationKeys)) {
    copyFile(files.registrationKeys, join(target, basename(files.registrationKeys)));
  }
}

/** @throws when the copied keys cannot decrypt the copied registrations, because they were rotated in between */
export function copyRegistrations(config: Config, target: string): Manifest['registrations'] {
  const { files, databaseUrl, registrations } = config;
  const keyFile = join(target, basename(files.registrationKeys));
  const isGiven = registrations.keys || registrations.keysFile;
  const keys = isGiven ? 'given' : existsSync(keyFile) ? 'included' : 'left out';
  if (databaseUrl || !existsSync(files.registrations)) return { count: 0, key_ids: [], keys };
  const copy = join(target, basename(files.registrations));
  copyDatabase(files.registrations, copy);
  const described = describeRegistrations(copy);
  if (keys === 'included') {
    const known = readKeyFile(keyFile).map(({ id }) => id);
    if (!described.key_ids.every((id) => known.includes(id)))
      throw new Error('The keys were rotated during the backup. Run it again.');
  }
  return { ...described, keys };
}

/** Ignores a missing file, because retention may delete a mail meanwhile. */
export function copyMails({ files }: Config, target: string): void {
  if (!existsSync(files.mail)) return;
  const folder = join(target, basename(files.mail));
  mkdirSync(folder, { mode: 0o700 });
  for (const name of readdirSync(files.mail).filter((name) => name.endsWith('.eml'))) {
    try {
      copyFile(join(files.mail, name), join(folder, name));
    } catch (cause) {
      if ((cause as { code?: string }).code !== 'ENOENT') throw cause;
    }
  }
  syncPath(folder);
}

export function copyLedgerId({ files }: Config, target: string): void {
  if (existsSync(files.ledgerId)) copyFile(files.ledgerId, join(target, basename(files.ledgerId)));
}
