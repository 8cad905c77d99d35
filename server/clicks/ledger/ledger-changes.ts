/**
 * Reports changes that other programs made to the ledger. A change that took lines away is noted in a file, because after the next
 * click the index no longer shows it, and a restart would hide it. `clicks verify` and `clicks rebuild` remove the file.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import type { Logger } from 'pino';
import { z } from 'zod';
import { wasDeletedByAge } from '../retention/deleted-clicks.ts';
import type { LedgerPosition } from './ledger.ts';

/** A change of the open ledger by another program. */
export interface LedgerChange {
  /** A sentence for the log. */
  message: string;
  /** End of the file before the change, if lines are gone; null: the ledger has all lines. */
  lost: LedgerPosition | null;
  /** False: a part of a rotation, so no fault. */
  isFault: boolean;
}

export interface LedgerChanges {
  /** Logs a change of the open ledger, and counts it if it is a fault. */
  add(change: LedgerChange): void;
  /** Reports that no file of the ledger has the index's position. Each position is logged and counted once. */
  addMissing(known: LedgerPosition): void;
  /** Returns a sentence while the ledger lacks lines; null: no change is noted. */
  warning(): string | null;
  /** Number of changes since the start of this process. */
  count(): number;
}

interface Files {
  ledger: string;
  ledgerChanges: string;
  deletedClicks: string;
}

const noteSchema = z.object({
  noticed_at: z.string(),
  /** The place up to which the index had the ledger. */
  first: z.string(),
  offset: z.number(),
});
type Note = z.infer<typeof noteSchema>;

const ADVICE =
  'Clicks that were confirmed are missing. Bring the missing lines back from a backup: "npm run clicks -- verify" names them, and ends this warning when none is missing.';

/** Logs the changes of earlier processes that are still noted. */
export function openLedgerChanges(
  files: Files,
  log: Pick<Logger, 'error' | 'warn'>,
): LedgerChanges {
  const known = readNotes(files.ledgerChanges);
  let count = 0;
  /** The last change could not be noted in the file. */
  let isUnsaved = false;
  const isNoted = ({ first, offset }: LedgerPosition) =>
    known.some((note) => note.first === first && note.offset === offset);
  const note = ({ first, offset }: LedgerPosition) => {
    const added = { noticed_at: new Date().toISOString(), first, offset };
    known.push(added);
    try {
      append(files.ledgerChanges, added);
    } catch (err) {
      isUnsaved = true;
      log.error({ err }, `${files.ledgerChanges} could not be written`);
    }
  };
  const [oldest] = known;
  if (oldest) log.error(`${files.ledger} has lacked lines since ${oldest.noticed_at}. ${ADVICE}`);

  return {
    add({ message, lost, isFault }) {
      if (!isFault) return log.warn(message);
      count += 1;
      log.error(lost ? `${message}. ${ADVICE}` : message);
      if (lost) note(lost);
    },
    addMissing(place) {
      // Older versions stored no first line. Their place cannot be found in a copy or an archive.
      if (place.first === '' || isNoted(place)) return;
      if (wasDeletedByAge(files.deletedClicks, place.first)) return;
      count += 1;
      log.error(
        `${files.ledger} was deleted, emptied or replaced by an older copy: the index has clicks up to byte ${place.offset} of a file that begins with the click ${place.first}, and no file of the ledger has that place. ${ADVICE}`,
      );
      note(place);
    },
    warning() {
      if (!isUnsaved && !existsSync(files.ledgerChanges)) return null;
      return `The ledger lacks lines that another program removed. ${ADVICE}`;
    },
    count: () => count,
  };
}

/** Ends the warning about a changed ledger. @returns whether there was one */
export function endLedgerWarning({ ledgerChanges }: Pick<Files, 'ledgerChanges'>): boolean {
  const isThere = existsSync(ledgerChanges);
  rmSync(ledgerChanges, { force: true });
  return isThere;
}

function append(path: string, note: Note): void {
  const fd = openSync(path, 'a', 0o640);
  try {
    writeSync(fd, `${JSON.stringify(note)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A line that is cut short stays a note, because the file alone says that lines are missing. */
function readNotes(path: string): Note[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    try {
      return noteSchema.parse(JSON.parse(line));
    } catch {
      return { noticed_at: 'an unknown time', first: '', offset: 0 };
    }
  });
}
