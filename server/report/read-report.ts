/** Reads ledgers and makes the report. The command and the weekly mail share it. */
import { readNotes } from '../clicks/retention/deleted-clicks.ts';
import { dataFiles } from '../data-files.ts';
import { scanLedgers } from './engine/scan.ts';
import type { Tally } from './engine/tally.ts';
import { forgottenSentence } from './forgotten-sentence.ts';
import { gapsTable } from './gaps-table.ts';
import { countOf, type MakeOptions, makeReport } from './make-report.ts';
import { type ReceiptCount, type ReceiptPlace, readReceipts } from './read-receipts.ts';
import { completenessTable } from './receipt-tables.ts';
import type { Report } from './report.ts';

export interface ReadOptions extends MakeOptions {
  /** Data folder of this server. */
  dataDir: string;
  /** The other data folders. */
  folders: readonly string[];
  /** Do commands read the same without `--ledger`? By default, if there is one folder. */
  isDefault?: boolean | undefined;
  /** Where the receipts are. Null: the report leaves them out, so that it stays the same. */
  receipts: ReceiptPlace | null;
  /** Gets a sentence for the operator about files that cannot be read completely. */
  warn: (message: string) => void;
}

/** @throws an Error when there is no ledger in one of the folders */
export async function readReport(options: ReadOptions): Promise<Report> {
  const { dataDir, folders, since, until, asOf, warn } = options;
  const files = [dataDir, ...folders].map(dataFiles);
  const ledgers = files.map(({ ledger }) => ledger);
  const question = { tally: { from: since, to: until, split: asOf }, filter: null, gaps: true };
  const receipts = await receiptsOf(options);
  return scanLedgers(ledgers, { until: asOf, question }, (scan) => {
    const { tally, texts, warnings, lostPerDay } = scan;
    for (const warning of warnings) warn(warning);
    if (!tally) throw new Error('The scan has no counts.');
    const gaps = gapsTable(lostPerDay, options);
    const { tables, unknown } = receiptParts(receipts, tally);
    const notes = files.flatMap(({ deletedClicks }) => readNotes(deletedClicks));
    const more = {
      tables: [...tables, ...(gaps ? [gaps] : [])],
      unknown: [...forgottenSentence(notes, options), ...unknown],
    };
    return makeReport(tally, texts, { ...options, folders: namedFolders(options) }, more);
  });
}

function namedFolders({ dataDir, folders, isDefault = folders.length === 0 }: ReadOptions) {
  return isDefault ? [] : [dataDir, ...folders];
}

async function receiptsOf({ receipts, since, until, warn }: ReadOptions) {
  if (!receipts) return null;
  return readReceipts(receipts, since, until).catch((cause: Error) => {
    warn(`The receipts cannot be read (${cause.message}).`);
    return null;
  });
}

/** Says what is not known, instead of showing nothing. */
function receiptParts(receipts: ReceiptCount[] | null, tally: Tally) {
  if (receipts === null || receipts.length === 0) return { tables: [], unknown: UNKNOWN };
  const logged = {
    clicks: countOf(tally.total, 0, [0, 2]),
    private: countOf(tally.private, 0, [0, 2]),
  };
  return { tables: [completenessTable(receipts, logged)], unknown: [NO_FUNNEL] };
}

const NO_FUNNEL =
  'The funnel before the click is not known here, because the ledger has only clicks: PostHog has it.';
const UNKNOWN = [
  NO_FUNNEL,
  'How many of the clicks PostHog has is not known. Only a report without --as-of reads the receipts, because they change.',
];
