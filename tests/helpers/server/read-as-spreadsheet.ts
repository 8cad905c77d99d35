/**
 * Separators that a spreadsheet may take by the reader's country, by the first line of the file, or
 * by the choice in a dialog.
 */
export const SEPARATORS = [',', ';', '\t', '|', ' '];

const ROW_END = /[\r\n\v\f\x85\u2028\u2029]/;

/**
 * Reads a CSV file as spreadsheets do, with any separator. A quote opens a quoted part only at the
 * start of a cell. Any quote closes it, and what follows is added to the cell; or, with `isStrict`,
 * only a quote before the end of a cell closes it.
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
 * The cells that a spreadsheet would calculate: also behind white space, which some drop, and with
 * full-width signs.
 */
export const formulasIn = (csv: string): string[] =>
  SEPARATORS.flatMap((separator) =>
    [false, true].flatMap((isStrict) =>
      readAsSpreadsheet(csv, separator, isStrict).filter((cell) => FORMULA.test(cell)),
    ),
  );
