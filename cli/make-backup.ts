/** `npm run backup`: a consistent copy of a data folder, with a list of its files. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { Config } from '../server/config.ts';
import { type BackupFile, MANIFEST, type Manifest, readVersions } from './backup-manifest.ts';
import {
  copyDeletionNotes,
  copyIndex,
  copyKeys,
  copyLedgerId,
  copyLedgers,
  copyMails,
  copyReceipts,
  copyRegistrations,
  copyRejected,
} from './copy-data.ts';
import { measureFile, syncPath } from './copy-file.ts';
import { UsageError } from './usage-error.ts';

type Print = (text: string) => void;

interface Options {
  to: string;
  withKeys: boolean;
}

/**
 * The order matters. The server writes a click to the ledger before the index, so the backup copies the index first: it must
 * not know a click that the copied ledger lacks. The same holds for the receipts. The server writes a mail file before it deletes the row, so mails come last.
 *
 * @throws an Error that says what to do; the target is then empty again
 */
export async function makeBackup(config: Config, { to, withKeys }: Options, print: Print) {
  const target = resolve(to);
  checkSource(config);
  prepareTarget(target, config.dataDir);
  try {
    const began_at = new Date().toISOString();
    copyIndex(config, target, print);
    copyReceipts(config, target, print);
    copyLedgers(config, target);
    copyDeletionNotes(config, target);
    copyRejected(config, target);
    if (withKeys) copyKeys(config, target, print);
    const registrations = copyRegistrations(config, target);
    copyMails(config, target);
    copyLedgerId(config, target);
    const files = await listFiles(target);
    const manifest: Manifest = {
      format: 1,
      began_at,
      versions: readVersions(),
      database: config.databaseUrl ? 'postgres' : 'sqlite',
      registrations,
      files,
    };
    writeManifest(target, manifest);
    print(summarize(target, manifest));
  } catch (cause) {
    for (const name of readdirSync(target)) rmSync(join(target, name), { recursive: true });
    throw cause;
  }
}

function checkSource({ dataDir, files }: Config): void {
  if (existsSync(files.ledger) || existsSync(files.registrations) || existsSync(files.lock)) return;
  throw new Error(`There is no data in ${dataDir}. Is DATA_DIR right?`);
}

function prepareTarget(target: string, dataDir: string): void {
  if (`${target}${sep}`.startsWith(`${dataDir}${sep}`)) {
    throw new UsageError(`--to must name a folder outside ${dataDir}`);
  }
  mkdirSync(target, { recursive: true, mode: 0o700 });
  if (readdirSync(target).length > 0) {
    throw new Error(`${target} is not empty. Name a new folder for each backup.`);
  }
}

/** Reads the files back from the disk, as a restore does. */
async function listFiles(target: string): Promise<BackupFile[]> {
  const names = readdirSync(target, { recursive: true }).map(String).sort();
  const files: BackupFile[] = [];
  for (const name of names) {
    const path = join(target, name);
    const status = statSync(path);
    if (!status.isFile()) continue;
    const measured = await measureFile(path);
    const modified_at = status.mtime.toISOString();
    files.push({ name, ...measured, mode: status.mode & 0o777, modified_at });
  }
  return files;
}

/** Writes the manifest last, and renames it when it is complete. A folder without a manifest is not a backup. */
function writeManifest(target: string, manifest: Manifest): void {
  const path = join(target, MANIFEST);
  const fd = openSync(`${path}.new`, 'wx', 0o600);
  writeFileSync(fd, `${JSON.stringify(manifest, null, 2)}\n`);
  closeSync(fd);
  syncPath(`${path}.new`);
  renameSync(`${path}.new`, path);
  syncPath(target);
  syncPath(dirname(target));
}

function summarize(target: string, { files, registrations, database }: Manifest): string {
  const clicks = files.filter(({ name }) => name.startsWith('clicks.jsonl'));
  const lines = clicks.reduce((sum, file) => sum + (file.lines ?? 0), 0);
  const said = [
    `${files.length} files are in ${target}: ${lines} lines of clicks, ${registrations.count} registrations.`,
    ...clicks
      .filter((file) => file.lines === null)
      .map(({ name }) => `${name} cannot be unpacked and was copied unchanged.`),
  ];
  if (database === 'postgres')
    said.push(
      'The registrations are in PostgreSQL and not in this backup: run pg_dump each time before the backup.',
    );
  if (registrations.count > 0 && registrations.keys !== 'included')
    said.push(
      `The keys are not in this backup. Only the key "${registrations.key_ids.join('", "')}" decrypts the registrations.`,
    );
  return said.map((line) => `${line}\n`).join('');
}
