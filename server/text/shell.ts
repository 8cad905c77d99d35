/** Commands that people copy into a shell. Strangers choose some of the values. */
import { isPrintable, toPrintableJson } from './printable.ts';

/** Every shell takes these characters as they are. zsh replaces a word that begins with `=`. */
const PLAIN = /^(?!=)[\w.:/=@,+-]+$/;
/** npm hands its arguments to a shell again, does not quote these, and bash expands them. */
const EXPANDED_BEHIND_NPM = /[[\]{}]/;

/**
 * Returns the arguments of an option with a value. A value that a terminal, a shell or npm could change is given as JSON:
 * `--ref-json` instead of `--ref`. `cli/json-options.ts` reads it.
 *
 * @param name with its dashes
 */
export function option(name: string, value: string): string[] {
  if (!isPrintable(value) || EXPANDED_BEHIND_NPM.test(value))
    return [`${name}-json`, toPrintableJson(value).replaceAll("'", '\\u0027')];
  return value.startsWith('-') ? [`${name}=${value}`] : [name, value];
}

/** Quotes an argument in a way that every POSIX shell knows. dash has no `$'…'`. */
export const quoted = (argument: string): string =>
  PLAIN.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
