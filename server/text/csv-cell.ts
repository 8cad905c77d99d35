/** Cells of CSV files, which people open in spreadsheet programs. */

/** A spreadsheet may run a text as a formula, also behind white space, and with full-width signs. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** Puts an apostrophe before a formula, which makes a text of it. */
export const withoutFormula = (value: string): string =>
  FORMULA.test(value) ? `'${value}` : value;

/** Quotes the value where CSV needs it. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = withoutFormula(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
