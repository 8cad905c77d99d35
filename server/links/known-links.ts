/** The table `links`: names of clinics and others, by the `ref` of their clicks. */
import { type Database, defineWork } from '../database/database.ts';

const NAME = `INSERT INTO links (ref, name) VALUES ($1, $2)
  ON CONFLICT (ref) DO UPDATE SET name = excluded.name`;

export const nameLink = defineWork(
  import.meta.url,
  'nameLink',
  async ({ run }, ref: string, name: string): Promise<void> => {
    await run(NAME, [ref, name]);
  },
);

export interface KnownLink {
  ref: string;
  name: string;
}

export const readLinks = async (db: Database): Promise<KnownLink[]> =>
  (await db.read('SELECT ref, name FROM links ORDER BY name, ref')) as never;
