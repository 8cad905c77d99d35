/** Options whose value is JSON, as in `--ref-json '"a\u0001"'`. Commands print values so that a shell could change. */
import { printable } from '../server/text/printable.ts';
import { UsageError } from './usage-error.ts';

/**
 * Replaces each `--NAME-json VALUE` by `--NAME=TEXT`.
 *
 * @param names of the options that take a text
 * @throws UsageError for a value that is not a text in JSON
 */
export function readJsonOptions(args: readonly string[], names: ReadonlySet<string>): string[] {
  const read: string[] = [];
  const given = [...args];
  for (let arg = given.shift(); arg !== undefined; arg = given.shift()) {
    const [, name = '', value] = /^--([\w-]+)-json(?:=(.*))?$/s.exec(arg) ?? [];
    if (arg === '--') return [...read, arg, ...given];
    read.push(names.has(name) ? `--${name}=${textOf(name, value ?? given.shift())}` : arg);
  }
  return read;
}

function textOf(name: string, json: string | undefined): string {
  try {
    const value: unknown = JSON.parse(json ?? '');
    if (typeof value === 'string') return value;
  } catch {
    // The message below says so.
  }
  const not = json === undefined ? '' : `, not ${printable(json)}`;
  throw new UsageError(`--${name}-json must be a text in JSON, such as '"clinic-7"'${not}`);
}
