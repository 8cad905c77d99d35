/** Settings of the page that were variables before site.json had them. */
import { SITE_KEYS } from './site-file.schema.ts';

/** VITE_OPERATOR_ADDRESS of `facts.operatorAddress`. */
const variableOf = (key: string): string =>
  `VITE_${key.replace('facts.', '').replace(/[A-Z]/g, '_$&').toUpperCase()}`;

const KEYS = new Map(SITE_KEYS.map((key) => [variableOf(key), key]));

/** @returns a sentence for each variable with a value that the build would leave out */
export function describeFormer(env: Record<string, string | undefined>, file: string): string[] {
  const set = Object.keys(env).filter((name) => KEYS.has(name) && env[name]?.trim());
  return set.map(
    (name) =>
      `${name} is not a variable of this project. Write ${KEYS.get(name)} in the file that SITE_FILE names, now ${file}`,
  );
}
