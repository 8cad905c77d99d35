/** Warnings go to standard error: standard output is for what a command was asked for. */
import { describeIgnored, ignoredFiles } from '../server/clicks/ledger/read-ledger.ts';

export const warn = (message: string): void => void process.stderr.write(`${message}\n`);

/** Names the files beside a ledger that look like a part of it, and are not read. */
export function warnOfIgnored(ledger: string): void {
  const ignored = ignoredFiles(ledger);
  if (ignored.length > 0) warn(describeIgnored(ignored, ledger));
}
