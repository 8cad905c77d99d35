/**
 * Separators that spreadsheets use, by the country of their user, the first line of the file, or
 * the choice in a dialog.
 */
export const SEPARATORS = [',', ';', '\t', '|', ' '];

const ROW_END = /[\r\n\v\f\x85\u2028\u2029]/;

/**
 * Splits CSV into its cells, as tolerantly as spreadsheets do. A quote opens a quoted part only at
 * the start of a cell. The next quote closes it, and text after that is added to the cell.
 *
 * @param isStrict whether only a quote at the end of a cell closes the quoted part, as some
 * spreadsheets read it
 */
export function readAsSpreadsheet(csv: string, separator: string, isStrict = false): string[] {
  const isEnd = (sign = '\n') => sign === separator || ROW_END.test(sign);
  const cells: string[] = [];
  let cell = '';
  let at = 0;
  let isStart = true;
  while (at < csv.length) {
    const sign = csv[at] ?? '';
    if (isStart && sign === '"') {
      const end = endOfQuotes(csv, at + 1, (next) => !isStrict || isEnd(next));
      cell = csv.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else if (isEnd(sign)) {
      cells.push(cell);
      cell = '';
      at += 1;
      isStart = true;
      continue;
    } else {
      cell += sign;
      at += 1;
    }
    isStart = false;
  }
  return [...cells, cell];
}

function endOfQuotes(csv: string, from: number, mayEnd: (next?: string) => boolean): number {
  for (let at = from; at < csv.length; at += 1) {
    if (csv[at] !== '"') continue;
    if (csv[at + 1] === '"') at += 1;
    else if (mayEnd(csv[at + 1])) return at;
  }
  return csv.length;
}

const FORMULA = /^[\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠]+\s*[^\s=+\-@＝＋－＠]/u;

/**
 * Returns the cells that a spreadsheet would calculate as a formula, also after white space, which
 * some spreadsheets drop, and with full-width signs.
 */
export const formulasIn = (csv: string): string[] =>
  SEPARATORS.flatMap((separator) =>
    [false, true].flatMap((isStrict) =>
      readAsSpreadsheet(csv, separator, isStrict).filter((cell) => FORMULA.test(cell)),
    ),
  );
