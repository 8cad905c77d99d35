/** Builds the site for tests, with the project's own commands. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SITE_FILE } from '#site.config.ts';

const LOCK_FOLDER = 'node_modules/.cache';
const POLL_MS = 50;

/**
 * One build at a time, over all processes, because Vike writes its compiled settings next to their source. The lock is
 * SQLite's lock on an empty file: the kernel releases it when the process ends.
 *
 * @param dist a folder inside the project
 * @param reuse keeps the output of an earlier build in the folder
 * @throws with the build's output when it fails
 */
export async function build(
  dist: string,
  siteFile = SITE_FILE,
  { reuse = false } = {},
): Promise<void> {
  mkdirSync(LOCK_FOLDER, { recursive: true });
  using lock = new DatabaseSync(join(LOCK_FOLDER, 'build.lock'));
  while (!tryLock(lock)) await delay(POLL_MS);
  if (reuse && isBuilt(dist)) return;
  // Vitest sets NODE_ENV to "test", with which React uses its development build.
  const env = { ...process.env, NODE_ENV: 'production' };
  const args = ['run', 'build', '--', '--site', siteFile, '--out', dist];
  await promisify(execFile)('npm', args, { env }).catch(({ stdout, stderr }) => {
    throw new Error(`npm run build failed:\n${stdout}${stderr}`);
  });
}

export const isBuilt = (dist: string): boolean => existsSync(join(dist, 'site.json'));

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
