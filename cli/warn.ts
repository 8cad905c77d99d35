/** Warnings of commands, on standard error. Standard output is for a command's result. */
import { describeIgnored, ignoredFiles } from '../server/clicks/ledger/ignored-files.ts';
import { printableLines } from '../server/text/printable.ts';

export const warn = (message: string): void =>
  void process.stderr.write(`${printableLines(message)}\n`);

/** Names the files next to a ledger that look like a part of it but are not read. */
export function warnOfIgnored(ledger: string): void {
  const ignored = ignoredFiles(ledger);
  if (ignored.length > 0) warn(describeIgnored(ignored, ledger));
}
