/** The table `links`: names of clinics and others, by the `ref` of their clicks. */
import { type Database, write } from '../database/database.ts';

const NAME = `INSERT INTO links (ref, name) VALUES ($1, $2)
  ON CONFLICT (ref) DO UPDATE SET name = excluded.name`;

export const nameLink = (db: Database, ref: string, name: string) => write(db, NAME, [ref, name]);

export interface KnownLink {
  ref: string;
  name: string;
}

export const readLinks = async (db: Database): Promise<KnownLink[]> =>
  (await db.read('SELECT ref, name FROM links ORDER BY name, ref')) as never;
