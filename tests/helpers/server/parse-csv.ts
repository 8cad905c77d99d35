/** Parses CSV (RFC 4180). @returns the rows, each by the names in the first row */
export function parseCsv(text: string): Record<string, string>[] {
  const [head = [], ...rows] = text
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
      ),
    );
  return rows.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ''])));
}
