/** Sentences for operators about changes that other programs made to the open ledger. */
import type { LedgerPosition } from './ledger.ts';
import type { LedgerChange } from './ledger-changes.ts';
import type { Change } from './ledger-file.ts';
import type { Restored } from './restore-ledger.ts';

interface Facts {
  path: string;
  /** The ledger's end before the change. */
  before: LedgerPosition;
  /** Bytes in the file when the change was noticed. */
  size: number;
  /** The ledger's end after the repair. */
  end: number;
  /** Of a deleted file. */
  restored: Restored | null;
}

/** @returns null: the change was a rotation in good order */
export function describeChange(change: Change, facts: Facts): LedgerChange | null {
  const { path, before, end } = facts;
  const lost = before.offset > 0 ? before : null;
  switch (change) {
    case 'deleted':
      return describeDeleted(facts);
    case 'moved':
      return {
        message: `${path} was moved away while the server wrote it, to a name that the server does not read; the server began a new file`,
        lost,
        isFault: true,
      };
    case 'truncated':
      return {
        message: `Another program cut ${before.offset - end} bytes off ${path} while the server wrote it; the server continues at its end`,
        lost,
        isFault: true,
      };
    case 'appended':
      return { message: describeAppended(facts), lost: null, isFault: true };
  }
}

function describeDeleted({ path, restored }: Facts): LedgerChange | null {
  const { copy = null, other = null, bytes = 0 } = restored ?? {};
  if (other === null)
    return {
      message: `${path} was deleted or replaced while the server wrote it; its lines are in ${copy} again`,
      lost: null,
      isFault: true,
    };
  if (copy === null) return null;
  return {
    message: `${path} was packed or copied to ${other} while the server wrote it; the last ${bytes} bytes, which that file lacks, are in ${copy}. Pack a ledger when the log says "Reopened"`,
    lost: null,
    isFault: false,
  };
}

function describeAppended({ path, before, size, end }: Facts): string {
  const torn = Math.max(0, size - end);
  const whole = end - before.offset;
  if (whole <= 0)
    return `Another program wrote ${torn} bytes without a newline to ${path}; the server cut them off, and keeps their start in refused.jsonl`;
  const rest =
    torn > 0
      ? `, and cut off ${torn} bytes without a newline, whose start is in refused.jsonl`
      : '';
  return `Another program wrote ${whole} bytes to ${path}; the server continues after them${rest}`;
}
