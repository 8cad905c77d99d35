/**
 * Hides small figures about clinics, so that they cannot be computed from the other figures. Small clinics are joined into
 * one row with others, and cells that are small are hidden together with others of their row and column.
 */

/** Smaller figures about a clinic are not shown. */
export const SMALLEST_SHOWN = 11;
/** A hidden figure must have at least this many possible values more than one. */
const LEAST_DOUBT = 3;

export interface SourceRow {
  /** Empty: clicks without a ref. They are not about a clinic. */
  key: string;
  clicks: number;
  /** By call to action; null: hidden. */
  cells: (number | null)[];
}

export interface SharedRows {
  shown: SourceRow[];
  /** Clinics that are not named. Null: there are none, or only the total may be shown. */
  rest: { keys: string[]; clicks: number; cells: (number | null)[] } | null;
  /** False: not even `rest` may be shown, and `shown` is empty. */
  hasRows: boolean;
}

/** @param rows with all cells known, the largest first @param top how many rows to show at most */
export function suppressSmall(rows: readonly SourceRow[], top: number): SharedRows {
  const isBig = ({ key, clicks }: SourceRow) => key === '' || clicks >= SMALLEST_SHOWN;
  const shown = rows.filter(isBig).slice(0, top);
  const hidden = rows.filter((row) => !shown.includes(row));
  while (hidden.length > 0 && !isSafeTogether(hidden)) {
    const next = shown.findLast(({ key }) => key !== '') ?? shown.at(-1);
    if (!next) return { shown: [], rest: null, hasRows: false };
    shown.splice(shown.indexOf(next), 1);
    hidden.push(next);
  }
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
  const rest = hidden.length > 0 && {
    key: 'rest',
    clicks: sum(hidden.map(({ clicks }) => clicks)),
    cells: (rows[0]?.cells ?? []).map((_, i) => sum(hidden.map(({ cells }) => cells[i] ?? 0))),
  };
  const withCells = hideCells(rest ? [...shown, rest] : shown);
  if (!withCells) return { shown: [], rest: null, hasRows: false };
  const last = rest ? withCells.at(-1) : undefined;
  return {
    shown: withCells.slice(0, shown.length),
    rest: last ? { ...last, keys: hidden.map(({ key }) => key) } : null,
    hasRows: true,
  };
}

/** Whether the sum of these rows says too little about each of them. */
function isSafeTogether(rows: readonly SourceRow[]): boolean {
  const sum = rows.reduce((total, { clicks }) => total + clicks, 0);
  if (rows.length < 2 || sum < SMALLEST_SHOWN) return false;
  if (rows.some(({ clicks }) => clicks >= SMALLEST_SHOWN)) return true;
  // A reader may know that all of them are small.
  const most = SMALLEST_SHOWN - 1;
  const least = Math.max(1, sum - most * (rows.length - 1));
  return Math.min(most, sum - (rows.length - 1)) - least >= LEAST_DOUBT;
}

/**
 * Hides all cells of a row with a small one, and of other rows until no hidden cell can be computed.
 *
 * @returns null if they can be computed with all cells hidden too
 */
function hideCells(rows: readonly SourceRow[]): SourceRow[] | null {
  const isSmall = (cell: number | null) => cell === null || cell < SMALLEST_SHOWN;
  const hidden = new Set(rows.filter(({ key, cells }) => key !== '' && cells.some(isSmall)));
  if (hidden.size > 0) {
    const others = rows.filter((row) => !hidden.has(row)).toReversed();
    while (!isInDoubt([...hidden])) {
      const next = others.shift();
      if (!next) return null;
      hidden.add(next);
    }
  }
  return rows.map((row) =>
    hidden.has(row) ? { ...row, cells: row.cells.map(() => null) } : { ...row },
  );
}

/** Computes the possible values of each hidden cell from its row's and its column's total. */
function isInDoubt(rows: readonly SourceRow[]): boolean {
  const sum = rows.reduce((total, { clicks }) => total + clicks, 0);
  const columns = (rows[0]?.cells ?? []).map((_, i) =>
    rows.reduce((total, { cells }) => total + (cells[i] ?? 0), 0),
  );
  return rows.every(
    ({ key, clicks }) =>
      key === '' ||
      columns.every(
        (column) => Math.min(clicks, column) - Math.max(0, clicks + column - sum) >= LEAST_DOUBT,
      ),
  );
}
