/** Applies SQL files once each, in the order of their names. `user_version` counts them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/**
 * @param folder below `migrations/`
 * @throws when a newer version of this program has written the file
 */
export function migrate(db: DatabaseSync, folder: string): void {
  const path = join(import.meta.dirname, 'migrations', folder);
  const steps = readdirSync(path)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const done = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  if (done > steps.length) {
    throw new Error(
      `${db.location()} was written by a newer version (schema ${done}, this one knows ${steps.length}).`,
    );
  }
  for (const [i, name] of steps.entries()) {
    if (i < done) continue;
    db.exec(
      `BEGIN; ${readFileSync(join(path, name), 'utf8')}; PRAGMA user_version = ${i + 1}; COMMIT`,
    );
  }
}
