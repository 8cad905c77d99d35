/** Finds the programs that tests need, and reports tests that are skipped without one. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the path of an installed program; null if it is missing. */
export const findProgram = (name: string): string | null =>
  ['/usr/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find(existsSync) ?? null;

export const findFirefox = () => findProgram('firefox-esr') ?? findProgram('firefox');

/** Returns the folder with the programs of the newest installed PostgreSQL; null if none is. */
export function findPostgres(): string | null {
  const versionOf = (folder: string) => Number(folder.split('/').at(-2));
  const folders = globSync('/usr/lib/postgresql/*/bin');
  return folders.sort((a, b) => versionOf(b) - versionOf(a)).at(0) ?? null;
}

export const findPgbouncer = () => ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(existsSync);

/**
 * Returns the paths of WebKit's WebDriver, of the browser that it controls, and of the server for a
 * virtual display; null if one of them is missing.
 */
export function findWebkit() {
  const [driver, display] = [findProgram('WebKitWebDriver'), findProgram('Xvfb')];
  const browser = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').at(0);
  return driver && display && browser ? { driver, display, browser } : null;
}

/**
 * The folder into which ensure-needs.ts unpacks the filter lists of content blockers. The package
 * is not installed, because the tests' browser would then block what the lists name.
 */
export const FILTER_LISTS = 'node_modules/.cache/filter-lists';

/** Returns the paths of EasyList and EasyPrivacy; null if they are missing. */
export function findFilterLists(): string[] | null {
  const lists = globSync(`${FILTER_LISTS}/usr/**/easylist/{easylist,easyprivacy}.txt`);
  return lists.length === 2 ? lists : null;
}

/**
 * Reports on standard error that tests cannot run on this machine. `npm test` repeats these lines
 * in its summary.
 *
 * @param what for example "cluster tests"
 * @param reason for example "PostgreSQL is missing"
 * @throws on CI, where a skipped test is a failure
 */
export function reportSkipped(what: string, reason: string): void {
  const line = `SKIPPED: ${what}, because ${reason}`;
  if (process.env.CI) throw new Error(line);
  process.stderr.write(`${line}\n`);
}
