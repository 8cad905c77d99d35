/** Reads ledgers and makes the report. The command and the weekly mail share it. */
import { readNotes } from '../clicks/retention/deleted-clicks.ts';
import { dataFiles } from '../config.ts';
import { scanLedgers } from './engine/scan.ts';
import { type DiffOptions, makeDiff } from './make-diff.ts';
import { type MakeOptions, makeReport } from './make-report.ts';
import type { Report } from './report.ts';

export interface ReadOptions extends MakeOptions {
  /** Data folder of this server; `folders` has the others. */
  dataDir: string;
  /** Gets a sentence for the operator about files that cannot be read completely. */
  warn: (message: string) => void;
}

/** @throws an Error when there is no ledger in one of the folders */
export function readReport(options: ReadOptions): Promise<Report> {
  const { dataDir, folders, since, until, asOf, warn } = options;
  const ledgers = [dataDir, ...folders].map((folder) => dataFiles(folder).ledger);
  const question = { tally: { from: since, to: until, split: asOf }, filter: null };
  return scanLedgers(ledgers, { until: asOf, question }, ({ tally, texts, warnings }) => {
    for (const warning of warnings) warn(warning);
    if (!tally) throw new Error('The scan has no counts.');
    return makeReport(tally, texts, options, { tables: [], unknown: UNKNOWN });
  });
}

export type DiffSource = Pick<ReadOptions, 'dataDir' | 'warn'> & Omit<DiffOptions, 'deleted'>;

/** @throws an Error when there is no ledger in one of the folders */
export function readDiff(options: DiffSource): Promise<Report> {
  const { dataDir, folders, since, until, before, asOf, warn } = options;
  const files = [dataDir, ...folders].map(dataFiles);
  const deleted = files.flatMap(({ deletedClicks }) => readNotes(deletedClicks));
  const question = { tally: { from: since, to: until, split: before }, filter: null };
  const ledgers = files.map(({ ledger }) => ledger);
  return scanLedgers(ledgers, { until: asOf, question }, ({ tally, texts, warnings }) => {
    for (const warning of warnings) warn(warning);
    if (!tally) throw new Error('The scan has no counts.');
    return makeDiff(tally, texts, { ...options, deleted });
  });
}

const UNKNOWN = [
  'The funnel before the click is not known here: PostHog has it.',
  'How complete PostHog is, is not known: no receipts were read.',
  'The number of lost clicks is not known: there is no second channel to compare with.',
];
