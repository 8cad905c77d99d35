/** The table `links`: names of clinics and others, by the `ref` of their clicks. */
import { z } from 'zod';
import { type Database, write } from '../database/database.ts';

const CODE_FAULT =
  'It must be 1 to 64 letters, digits, ".", "_", "~" or "-", such as clinic-7, with a letter or digit at both ends.';
const NAME_FAULT = 'It must be 1 to 80 visible characters.';

/** The fields of a new link. */
export const linkSchema = z.object({
  /** A URL needs no escapes for these signs. A link may end a sentence, so punctuation may not end a code. */
  code: z
    .string(CODE_FAULT)
    .trim()
    .regex(/^[a-z\d](?:[\w.~-]{0,62}[a-z\d])?$/i, CODE_FAULT)
    // The report's word for visits without a link.
    .refine((code) => code !== 'none', 'Choose another code than none.'),
  name: z
    .string(NAME_FAULT)
    .trim()
    .regex(/^\P{C}{1,80}$/u, NAME_FAULT),
});

const NAME = `INSERT INTO links (ref, name, made_at) VALUES ($1, $2, $3)
  ON CONFLICT (ref) DO UPDATE SET name = excluded.name, made_at = excluded.made_at`;

/** @param now milliseconds since 1970 */
export const nameLink = (db: Database, ref: string, name: string, now = Date.now()) =>
  write(db, NAME, [ref, name, now]);

export interface KnownLink {
  ref: string;
  name: string;
  /** When somebody made or renamed it last, in milliseconds since 1970. */
  madeAt: number;
}

const READ = 'SELECT ref, name, made_at AS "madeAt" FROM links ORDER BY name, ref';

export const readLinks = async (db: Database): Promise<KnownLink[]> =>
  (await db.read(READ)) as never;

export const findLink = async (db: Database, code: string): Promise<KnownLink | undefined> =>
  (await readLinks(db)).find(({ ref }) => ref === code);
