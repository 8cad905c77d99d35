import { works } from '../works.ts';
import type { Work } from './database.ts';

export type WorkName = keyof typeof works;

/**
 * Returns the name of a work, by which SQLite's thread calls it. PostgreSQL asks for it too, so
 * that a missing work fails in the first test on either database.
 *
 * @throws an Error if server/works.ts has no such work
 */
export function nameOfWork(work: Work<never, unknown>): WorkName {
  const { name } = work;
  if ((works as Record<string, unknown>)[name] !== work)
    throw new Error(`server/works.ts has no work ${name}. Add it there.`);
  return name as WorkName;
}
