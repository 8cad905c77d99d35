/** `npm run restore`: checks a backup, then copies it into a data folder that has no data yet. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { lockLedger } from '../server/clicks/ledger/lock-ledger.ts';
import { ledgerFiles } from '../server/clicks/ledger/read-ledger.ts';
import type { Config } from '../server/config.ts';
import { type BackupFile, type Manifest, readManifest } from './backup-manifest.ts';
import { copyFile, measureFile, syncPath } from './copy-file.ts';

type Files = Config['files'];

/** @throws an Error that says what to do; the data folder is then unchanged */
export async function restoreBackup(from: string, files: Files, print: (text: string) => void) {
  const source = resolve(from);
  const dataDir = resolve(dirname(files.ledger));
  const manifest = readManifest(source);
  await verify(source, manifest.files);
  mkdirSync(dataDir, { recursive: true });
  const unlock = lockFolder(files, dataDir);
  try {
    refuseExisting(files, manifest, dataDir);
    await copyAll(source, dataDir, manifest.files);
  } finally {
    unlock();
  }
  print(summarize(dataDir, manifest, existsSync(files.registrationKeys)));
}

/** @throws one Error that names every file that is missing or changed */
async function verify(folder: string, files: BackupFile[]): Promise<void> {
  const faults: string[] = [];
  for (const { name, bytes, sha256 } of files) {
    const path = join(folder, name);
    if (!existsSync(path)) faults.push(`${name} is missing`);
    else {
      const found = await measureFile(path);
      if (found.bytes !== bytes) faults.push(`${name} has ${found.bytes} bytes, not ${bytes}`);
      else if (found.sha256 !== sha256) faults.push(`${name} has another SHA-256`);
    }
  }
  if (faults.length > 0) {
    throw new Error(`${folder} has changed since the backup was made:\n  ${faults.join('\n  ')}`);
  }
}

function lockFolder(files: Files, dataDir: string): () => void {
  try {
    return lockLedger(files.lock, files.ledger);
  } catch (cause) {
    throw new Error(`A server runs on ${dataDir}. Stop it first, or name another folder.`, {
      cause,
    });
  }
}

/** Accepts a key file in the data folder, because the operator may have copied it there first. */
function refuseExisting(files: Files, manifest: Manifest, dataDir: string): void {
  const { ledger, deletedClicks, rejectedBodies, ledgerId, mail } = files;
  const databases = [files.clickIndex, files.registrations, files.receipts];
  const candidates = [
    ...ledgerFiles(ledger),
    ...[deletedClicks, rejectedBodies, `${rejectedBodies}.1`, ledgerId],
    ...databases.flatMap((path) => [path, `${path}-wal`]),
    ...(existsSync(mail) ? readdirSync(mail).map((name) => join(mail, name)) : []),
    ...manifest.files.map(({ name }) => join(dataDir, name)),
  ];
  const found = new Set(candidates.filter((path) => existsSync(path)));
  if (found.size === 0) return;
  const names = [...found].map((path) => relative(dataDir, path)).join(', ');
  throw new Error(
    `${dataDir} has data already (${names}). Move it away, or name another folder with --to.`,
  );
}

/** Copies all files, or none of them. */
async function copyAll(source: string, dataDir: string, files: BackupFile[]): Promise<void> {
  const written: string[] = [];
  try {
    for (const { name, mode, modified_at } of files) {
      const to = join(dataDir, name);
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      copyFile(join(source, name), to, { as: { mode, mtime: new Date(modified_at) } });
      written.push(to);
      syncPath(dirname(to));
    }
    syncPath(dirname(dataDir));
    await verify(dataDir, files);
  } catch (cause) {
    for (const path of written) rmSync(path, { force: true });
    throw cause;
  }
}

function summarize(dataDir: string, manifest: Manifest, hasKeys: boolean): string {
  const { began_at, files, registrations, database } = manifest;
  const said = [
    `${files.length} files are in ${dataDir}, as of ${began_at}.`,
    'Registrations that you deleted since then are back: delete them again.',
  ];
  const ids = registrations.key_ids.join('", "');
  if (registrations.keys === 'given' && ids !== '')
    said.push(`Missing: set REGISTRATION_KEYS or REGISTRATION_KEYS_FILE with the key "${ids}".`);
  else if (ids !== '' && !hasKeys)
    said.push(
      `Missing: the keys of ${registrations.count} registrations. Copy registrations.keys with the key "${ids}" into ${dataDir} before you start the server.`,
    );
  if (database === 'postgres')
    said.push('Missing: PostgreSQL. Restore its dump before you start the server.');
  if (database === 'sqlite' && !files.some(({ name }) => name === 'site.sqlite'))
    said.push('There is no click index in the backup: the server builds it from the ledger.');
  return said.map((line) => `${line}\n`).join('');
}
