/** Builds the site for tests, with the project's own command. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SITE_FILE } from '#site.config.ts';
import { hashFileOf, hashSources } from '../../../build/source-hash.ts';

const LOCK_FOLDER = 'node_modules/.cache';
const POLL_MS = 50;

/**
 * Builds a site, unless the folder has a build of the present files. Only one process builds at a
 * time, because Vike writes its compiled settings beside their sources. The lock is SQLite's lock
 * on an empty file, which the kernel releases when the process ends.
 *
 * @param dist folder for the build, inside the project
 * @param siteFile path of the site.json
 * @throws with the build's output if it fails
 */
export async function build(dist: string, siteFile = SITE_FILE): Promise<void> {
  mkdirSync(LOCK_FOLDER, { recursive: true });
  using lock = new DatabaseSync(join(LOCK_FOLDER, 'build.lock'));
  while (!tryLock(lock)) await delay(POLL_MS);
  if (isFresh(dist, siteFile)) return;
  // Vitest sets NODE_ENV to "test", for which React uses its development build.
  const env = { ...process.env, NODE_ENV: 'production' };
  const args = ['run', 'build', '--', '--site', siteFile, '--out', dist];
  await promisify(execFile)('npm', args, { env }).catch(({ stdout, stderr }) => {
    throw new Error(`npm run build failed:\n${stdout}${stderr}`);
  });
}

/** Whether the folder has a build of the present files with these settings. */
export function isFresh(dist: string, siteFile = SITE_FILE): boolean {
  const file = hashFileOf(dist);
  return existsSync(file) && readFileSync(file, 'utf8') === hashSources(siteFile);
}

/** Tries to take the lock. @returns false if another process has it */
function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (cause) {
    const SQLITE_BUSY = 5;
    if ((cause as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw cause;
  }
}
