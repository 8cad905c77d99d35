/**
 * The one reading of a code: in the page's address, in a short link, in what a form or the log has.
 * The page needs only the ref. The server makes its key too.
 */
import { MAX_REFERRER } from './limits.ts';

/**
 * The beginning of a parameter, also where a program joined a second query to the first, escaped
 * its signs, or wrote `&` as HTML does: `?ref=`, `&amp;ref=`, `%3Fref%3D`, `%26REF=`.
 */
const PARAMETER = /([?&]|%(25)*(3F|26))(amp(;|%3B))*([\w.~-]+)(=|%(25)*3D)/gi;

/**
 * Reads the parameters of an address, with their names in lower case. The first of repeated
 * parameters counts, as `get` has it.
 *
 * @param search with its question mark
 */
export const readQuery = (search: string): URLSearchParams =>
  new URLSearchParams(search.replace(PARAMETER, (...parts) => `&${parts[6].toLowerCase()}=`));

/**
 * Returns the `ref`, which names the source of the visit, in its own spelling.
 *
 * A URL can contain anything, so control characters are removed, and a long value is cut, never in
 * the middle of a surrogate pair. An empty result is null.
 *
 * @param query as `readQuery` returns it
 */
export const readRef = (query: URLSearchParams): string | null =>
  (query.get('ref') ?? '')
    .slice(0, MAX_REFERRER)
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .trim() || null;

/**
 * Makes the query of a code that is no parameter, so that a query joined to the code is cut off,
 * and its campaign found.
 *
 * @param code decoded once @param query of the same address, without its question mark
 */
export const queryOfCode = (code: string, query = ''): URLSearchParams =>
  readQuery(`?ref=${encodeURIComponent(code.toWellFormed())}&${query}`);

/** A code as people make it. Its key needs no other step. */
const PLAIN_CODE = /^[a-z\d]+(?:[._~-][a-z\d]+)*$/;
/** Characters without a picture: zero-width, direction and control characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;
const LEADING_SIGNS = /^[^\p{L}\p{N}]+/u;
/** The rest of a link's HTML or Markdown: `clinic-7">Here</a>`, `clinic-7](https://…`. */
const TRAILING_MARKUP = /(?:[<>]|\]\().*/s;
const UP_TO_LAST_LETTER = /^.*[\p{L}\p{N}\p{M}]/su;

/**
 * Makes the key by which the report counts a ref: without what mail programs and people add around
 * a link, composed (NFC), and in lower case. `Clinic-7`, `"clinic-7"` and `clinic-7.` have one key.
 * A key stays as it is.
 *
 * @param ref as a page or a client sent it
 * @returns null: there is no ref; empty: the ref has no letter and no digit, so that it names no
 * source
 */
export function refKey(ref: string | null | undefined): string | null {
  if (!ref) return null;
  // A step may uncover what another one removes, such as a quote in escapes.
  for (let key = ref; ; ) {
    if (PLAIN_CODE.test(key)) return key;
    const next = cleanCode(key);
    if (next === key) return key;
    key = next;
  }
}

function cleanCode(text: string): string {
  const code = readRef(queryOfCode(decodeFully(text))) ?? '';
  const visible = code
    .replace(INVISIBLE, '')
    .replace(LEADING_SIGNS, '')
    .replace(TRAILING_MARKUP, '');
  const [bare = ''] = UP_TO_LAST_LETTER.exec(visible) ?? [];
  return bare.replace(/\s+/g, ' ').normalize('NFC').toLowerCase();
}

const ESCAPES = /(?:%[\da-f]{2})+/gi;

/** Decodes what is escaped, however often. Leaves what is no escaped text. */
export function decodeFully(text: string): string {
  for (let decoded = text; ; ) {
    const next = decoded.replace(ESCAPES, decodeEscapes);
    if (next === decoded) return decoded;
    decoded = next;
  }
}

function decodeEscapes(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}
