/** Chooses the data folders that a command reads. */
import { ledgerFiles } from '../server/clicks/ledger/read-ledger.ts';
import type { Config } from '../server/config.ts';
import { dataFiles } from '../server/data-files.ts';

type Settings = Pick<Config, 'dataDir' | 'isDataDirSet' | 'reportLedgers'>;

/**
 * DATA_DIR, and the folders of `--ledger`. Without both, the folders of REPORT_LEDGERS. Without these too, ./data.
 *
 * @param named the values of `--ledger`
 * @returns at least one folder, each once
 */
export function dataFolders(settings: Settings, named: string[] = []): string[] {
  const { dataDir, isDataDirSet, reportLedgers } = settings;
  if (isDataDirSet) return unique([dataDir, ...named]);
  if (named.length === 0) return reportLedgers.length > 0 ? unique(reportLedgers) : [dataDir];
  // A machine with several servers has no data folder of its own next to the code.
  const isOwnRead = reportLedgers.length === 0 && hasLedger(dataDir);
  return unique(isOwnRead ? [dataDir, ...named] : named);
}

/** Does a command without `--ledger` read this one folder? Then a printed command need not name it. */
export function isDefaultFolder(settings: Settings, folders: readonly string[]): boolean {
  const { dataDir, isDataDirSet, reportLedgers } = settings;
  const isDefault = isDataDirSet || reportLedgers.length === 0;
  return isDefault && folders.length === 1 && folders[0] === dataDir;
}

/** The settings for one data folder. */
export function inFolder<C extends Pick<Config, 'dataDir' | 'files'>>(config: C, dataDir: string) {
  return { ...config, dataDir, files: dataFiles(dataDir) };
}

const hasLedger = (folder: string) => ledgerFiles(dataFiles(folder).ledger).length > 0;
const unique = (folders: string[]) => [...new Set(folders)];
