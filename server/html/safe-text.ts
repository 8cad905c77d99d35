/**
 * Texts that strangers chose (refs, campaigns, agents, events), safe for pages, terminals, tables
 * and spreadsheets.
 */

/**
 * Control and format characters (with marks of direction), line separators, and halves of
 * characters.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Replaces each character that could move a cursor, turn a text round or stay invisible. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\ufffd');

/**
 * What JSON.stringify leaves as it is, of the characters that `printable` replaces. The line's own
 * end is not among them.
 */
const UNPRINTABLE_IN_JSON = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Writes each of these characters as a JSON escape: the line then means the same, and a terminal
 * obeys none of it. It costs 0.5 µs a click.
 */
export const escapeJson = (lines: string): string =>
  lines.replace(UNPRINTABLE_IN_JSON, (character) =>
    Array.from({ length: character.length }, (_, i) => escapeOf(character.charCodeAt(i))).join(''),
  );

const escapeOf = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;

/**
 * A spreadsheet may run a text as a formula, also behind white space and quotes, and with
 * full-width signs.
 */
const FORMULA = /^[\s\p{Cf}"]*[=+\-@＝＋－＠]/u;
/** Some spreadsheets drop it, and read the next character as the first. */
const DROPPED_START = /^[\t\r\n]/;
/**
 * The text between two signs that a spreadsheet may take as the end of a cell or row. Which one it
 * takes depends on the reader's country and on the choice in a dialog: in most of Europe and Latin
 * America it is the semicolon.
 */
const PIECE = /[^,;|\p{Cc}\p{Zl}\p{Zp}]+/gu;
/**
 * A space ends a cell only where the reader chose that. A sign that stands alone, as in `Clinic A -
 * Lima`, is no formula.
 */
const FORMULA_BEHIND_SPACE =
  / (?=[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\p{Cf}']*[=+\-@＝＋－＠](?! ))/gu;
/** The quote takes what follows into the same cell, so here no sign stands alone. */
const FORMULA_BEHIND_SPACE_AND_QUOTE =
  / (?=[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\p{Cf}']*"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\p{Cf}"']*[=+\-@＝＋－＠])/gu;
const ANY_SIGN = /[=+\-@＝＋－＠\t\r\n]/;

/**
 * Writes a CSV cell. Each text is in quotes. An apostrophe makes a text of each part of it that
 * could be a formula: another separator than the comma could part the cell, and the quotes then do
 * not hold.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = ANY_SIGN.test(value) ? withoutFormulas(value) : value;
  return `"${text.replaceAll('"', '""')}"`;
}

function withoutFormulas(value: string): string {
  const safe = value.replace(PIECE, (piece) =>
    (FORMULA.test(piece) ? `'${piece}` : piece)
      .replace(FORMULA_BEHIND_SPACE, "$&'")
      .replace(FORMULA_BEHIND_SPACE_AND_QUOTE, "$&'"),
  );
  return DROPPED_START.test(safe) ? `'${safe}` : safe;
}
