/**
 * Reads and writes the table `links`: names of clinics and others, by the key of their code
 * (contract/ref.ts).
 */
import { z } from 'zod';
import { refKey } from '#contract/ref.ts';
import { type Database, rowsAs, write } from '../database/database.ts';

const CODE_FAULT =
  'It must be 1 to 64 letters, digits, ".", "_", "~" or "-", such as clinic-7, with a letter or digit at both ends.';
const NUMBER_FAULT =
  'A spreadsheet would take it for a number or a date, and change it. Choose one with a word, such as clinic-7.';
const NAME_FAULT = 'It must be 1 to 80 visible characters.';

/**
 * Whether a spreadsheet leaves a code unchanged. It would turn `007` into 7, `1e5` into 100000, and
 * `may-5` into a date.
 */
const isSafeInSpreadsheet = (code: string): boolean =>
  /[a-df-z]|e.*e/i.test(code) && !(MONTH_NAME.test(code) && /\d/.test(code));
const MONTH_NAME =
  /^[\d.~_-]*(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[\d.~_-]*$/i;

/** Validates a new link. */
export const linkSchema = z.object({
  /**
   * Only characters that need no escapes in a URL. The last one is a letter or digit, because a
   * link may end a sentence, whose full stop would look like a part of the code.
   */
  code: z
    .string(CODE_FAULT)
    .trim()
    .regex(/^[a-z\d](?:[\w.~-]{0,62}[a-z\d])?$/i, CODE_FAULT)
    .refine(isSafeInSpreadsheet, NUMBER_FAULT)
    // `none` is the report's key for visits without a link.
    .refine((code) => refKey(code) !== 'none', 'Choose another code than none.'),
  name: z
    .string(NAME_FAULT)
    .trim()
    .regex(/^\P{C}{1,80}$/u, NAME_FAULT),
});

/**
 * Creates or renames a link, and changes nothing if another spelling of the code exists. It is a
 * single statement, so that concurrent requests cannot create two links with one code.
 */
const UPSERT_LINK = `
  INSERT INTO links (ref_key, ref, name, made_at)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (ref_key) DO UPDATE
  SET name = excluded.name, made_at = excluded.made_at
  WHERE links.ref = excluded.ref
  RETURNING ref`;

/**
 * Creates a link, or renames it.
 *
 * @param ref as `linkSchema` accepts it
 * @param now milliseconds since 1970
 * @returns false if a link with another spelling of the code exists, such as Clinic-7
 */
export async function upsertLink(db: Database, ref: string, name: string, now = Date.now()) {
  const rows = await write(db, UPSERT_LINK, [refKey(ref), ref, name, now]);
  return rows.length > 0;
}

export interface KnownLink {
  /** The code in the team's spelling. */
  ref: string;
  /** The `ref_key` of its clicks and visits. */
  key: string;
  name: string;
  /** When the link was last created or renamed, in milliseconds since 1970. */
  madeAt: number;
}

const READ_LINKS = `
  SELECT ref, ref_key AS "key", name, made_at AS "madeAt"
  FROM links
  ORDER BY name, ref`;

export const readLinks = async (db: Database): Promise<KnownLink[]> =>
  rowsAs(await db.read(READ_LINKS));

/** Finds a link by its code. @param code in any spelling */
export const findLink = async (db: Database, code: string): Promise<KnownLink | undefined> =>
  (await readLinks(db)).find(({ key }) => key === refKey(code));
