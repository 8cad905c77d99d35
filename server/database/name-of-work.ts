import { works } from '../works.ts';
import type { Work } from './database.ts';

export type WorkName = keyof typeof works;

/**
 * Returns the name of a work, by which SQLite's thread finds it in server/works.ts. PostgreSQL does
 * not need the name, but also calls this function, so that a missing work fails with either
 * database.
 *
 * @throws an Error if server/works.ts lacks the work
 */
export function nameOfWork(work: Work<never, unknown>): WorkName {
  const { name } = work;
  if ((works as Record<string, unknown>)[name] !== work)
    throw new Error(`server/works.ts has no work ${name}. Add it there.`);
  return name as WorkName;
}
