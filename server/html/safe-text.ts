/** Texts that strangers chose (refs, campaigns, agents, events), safe for pages, terminals, tables and spreadsheets. */

/** Escapes a text for an element's content or for a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Control and format characters (with marks of direction), line separators, and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Replaces each character that could move a cursor, turn a text round or stay invisible. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\ufffd');

/** A spreadsheet may run a text as a formula, also behind white space, and with full-width signs. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** Quotes a CSV cell where it needs it, and makes a text of a formula with an apostrophe. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
