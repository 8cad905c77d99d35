/**
 * Reads the `ref` that names the source of a visit, in the same way everywhere: from a page's
 * address, a short link, a form and the log. The page needs only the ref. The server also makes its
 * key.
 */
import { MAX_REFERRER } from './limits.ts';

/**
 * The beginning of a query parameter. It also matches if a program has joined a second query to the
 * first, escaped its signs, or written `&` as HTML: `?ref=`, `&amp;ref=`, `%3Fref%3D`, `%26REF=`.
 */
const PARAMETER = /([?&]|%(25)*(3F|26))(amp(;|%3B))*([\w.~-]+)(=|%(25)*3D)/gi;

/**
 * Parses a query string, with the parameters' names in lower case. `get` returns the first of
 * repeated parameters.
 *
 * @param search the query string with its question mark
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
 * Makes the query of a code that is not a parameter, such as a short link's. If a query was joined
 * to the code, it is split off, so that its campaign is found.
 *
 * @param code decoded once
 * @param query the query of the same address, without its question mark
 */
export const queryOfCode = (code: string, query = ''): URLSearchParams =>
  readQuery(`?ref=${encodeURIComponent(code.toWellFormed())}&${query}`);

/** A code without anything to remove or change. Its key is the code itself. */
const PLAIN_CODE = /^[a-z\d]+(?:[._~-][a-z\d]+)*$/;
/** Invisible characters: zero-width, direction and control characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;
/** The signs before the first letter or digit. */
export const LEADING_SIGNS = /^[^\p{L}\p{N}]+/u;
/**
 * The rest of a link in HTML or Markdown: `clinic-7">Here</a>`, `clinic-7](https://…`. Also a joined
 * query whose names have other signs than `PARAMETER` knows: `clinic-7?$deep_link=…`.
 */
const TRAILING_PARTS = /(?:[<>]|\]\(|[?&][^\s?&=]+=).*/s;
/** Hyphens and dashes, which a word processor or a keyboard writes in place of a hyphen. */
const DASHES = /[\p{Pd}\u2212]/gu;
export const UP_TO_LAST_LETTER = /^.*[\p{L}\p{N}\p{M}]/su;

/**
 * Makes the key by which the report counts a ref. The key lacks what mail programs and people add
 * around a link, and is in composed form (NFC) and lower case. `Clinic-7`, `"clinic-7"` and
 * `clinic-7.` have the same key. The function is idempotent.
 *
 * @param ref as a page or a client sent it
 * @returns null if there is no ref; an empty text if the ref names no source, because it has no
 * letter and no digit
 */
export function refKey(ref: string | null | undefined): string | null {
  if (!ref) return null;
  // Repeated until nothing changes, because a step may reveal something to remove, such as an
  // escaped quote.
  for (let key = ref; ; ) {
    if (PLAIN_CODE.test(key)) return key;
    const next = cleanCode(key);
    if (next === key) return key;
    key = next;
  }
}

/** One pass of the cleaning: removes what surrounds the code. */
function cleanCode(text: string): string {
  const code = readRef(queryOfCode(decodeFully(text))) ?? '';
  const visible = code
    .replace(INVISIBLE, '')
    .replace(LEADING_SIGNS, '')
    .replace(TRAILING_PARTS, '');
  const [bare = ''] = UP_TO_LAST_LETTER.exec(visible) ?? [];
  return bare.replace(/\s+/g, ' ').replace(DASHES, '-').normalize('NFC').toLowerCase();
}

const PERCENT_ESCAPES = /(?:%[\da-f]{2})+/gi;
/**
 * A sign that a program has written as HTML: `&gt;`, `&#39;`, `&#x200b;`. At the end of the text the
 * semicolon may be missing, because it may have been removed as the end of a sentence.
 */
const HTML_ESCAPE = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{2,7})|#x([\da-f]{2,6}))(?:;|$)/gi;
const HTML_SIGNS: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const LAST_CODE_POINT = 0x10ffff;

/** Decodes escapes of URLs and of HTML until none is left. Invalid escapes stay. */
export function decodeFully(text: string): string {
  for (let decoded = text; ; ) {
    const next = decoded.replace(PERCENT_ESCAPES, decodePercents).replace(HTML_ESCAPE, decodeHtml);
    if (next === decoded) return decoded;
    decoded = next;
  }
}

function decodeHtml(escaped: string, name?: string, decimal?: string, hex?: string): string {
  if (name) return HTML_SIGNS[name.toLowerCase()] ?? escaped;
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
  return code > LAST_CODE_POINT ? escaped : String.fromCodePoint(code);
}

function decodePercents(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}
