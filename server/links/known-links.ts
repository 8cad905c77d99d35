/** The table `links`: names of clinics and others, by the `ref` of their clicks. */
import { type Database, defineWork } from '../database/database.ts';

const NAME = `INSERT INTO links (ref, name, made_at) VALUES ($1, $2, $3)
  ON CONFLICT (ref) DO UPDATE SET name = excluded.name`;

/** @param now milliseconds since 1970 */
export const nameLink = defineWork(
  import.meta.url,
  'nameLink',
  async ({ run }, ref: string, name: string, now: number): Promise<void> => {
    await run(NAME, [ref, name, now]);
  },
);

export interface KnownLink {
  ref: string;
  name: string;
}

export const readLinks = async (db: Database): Promise<KnownLink[]> =>
  (await db.read('SELECT ref, name FROM links ORDER BY name, ref')) as never;
