/** Where the programs of the tests are, and what a test says that lacks one. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

export const findProgram = (name: string): string | null =>
  ['/usr/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find(existsSync) ?? null;

export const findFirefox = () => findProgram('firefox-esr') ?? findProgram('firefox');

/** @returns the folder with the programs of the newest PostgreSQL */
export function findPostgres(): string | null {
  const versionOf = (folder: string) => Number(folder.split('/').at(-2));
  const folders = globSync('/usr/lib/postgresql/*/bin');
  return folders.sort((a, b) => versionOf(b) - versionOf(a)).at(0) ?? null;
}

export const findPgbouncer = () => ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(existsSync);

/**
 * @returns the driver, Debian's browser that it controls, and a virtual display; null if one is
 * missing
 */
export function findWebkit() {
  const [driver, display] = [findProgram('WebKitWebDriver'), findProgram('Xvfb')];
  const browser = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').at(0);
  return driver && display && browser ? { driver, display, browser } : null;
}

/**
 * Where ensure-needs.ts unpacks the lists of content blockers. Not installed, because a browser
 * would then obey them.
 */
export const FILTER_LISTS = 'node_modules/.cache/filter-lists';

/** @returns the files of EasyList and EasyPrivacy; null without them */
export function findFilterLists(): string[] | null {
  const lists = globSync(`${FILTER_LISTS}/usr/**/easylist/{easylist,easyprivacy}.txt`);
  return lists.length === 2 ? lists : null;
}

/**
 * Reports a test that cannot run on this machine. `npm test` repeats these lines in its summary.
 *
 * @param what for example "cluster tests" @param reason for example "PostgreSQL is missing"
 * @throws on CI, where a skipped test is a failure
 */
export function reportSkipped(what: string, reason: string): void {
  const line = `SKIPPED: ${what}, because ${reason}`;
  if (process.env.CI) throw new Error(line);
  process.stderr.write(`${line}\n`);
}
