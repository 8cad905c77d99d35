/**
 * Counts rows for several tables of the report in one pass, in JavaScript. The tables are the same
 * as those of `figureQuery`, which counts each table by one statement.
 *
 * Used with SQLite, which sorts all rows for each GROUP BY: of 5 million clicks and as many visits,
 * the statements of all tables need more than twice the CPU time. PostgreSQL counts groups in
 * memory.
 */
import type { Value } from '../../database/database.ts';
import type { Reader } from '../../database/open-reader.ts';
import {
  type FigureName,
  filtersOf,
  hasVisits,
  keySql,
  MOST_ROWS,
  valueSql,
} from './figure-query.ts';
import { type Counts, type CountsByKey, noCounts } from './figures.ts';
import { type Counted, type Selection, selectRows } from './selection.ts';

/**
 * Tables whose values are counted as one joined text, because each column of a row costs time. Few
 * of the possible combinations occur.
 */
const JOINED: readonly (readonly FigureName[])[] = [
  ['campaign', 'medium', 'source'],
  ['class', 'site', 'cta', 'device', 'language'],
];
/** Between the values of a joined text. No stored value has this character. */
const SEPARATOR = '\x1f';
/** Upper bound for the different joined texts that are counted: 14 MB, if each has 50 characters. */
const MOST_COMBINATIONS = 100 * MOST_ROWS;

/** A table while it is counted. */
interface TableInProgress {
  figure: FigureName;
  /** Counts by the value of rows (valueSql). null: more values than MOST_ROWS. */
  counts: Map<Value, Counts> | null;
}

/** Tables that are counted together during one pass. */
interface Group {
  tables: TableInProgress[];
  /** Upper bound for the values of `numbers`: MOST_ROWS if the group is one table. */
  most: number;
  /** Numbers of rows by their joined value. null: more values than `most`. */
  numbers: Map<Value, { rows: number; rated: number }> | null;
}

/**
 * Counts several tables. Tables with the same filters share a pass over the rows. A table that
 * would have a pass of its own is left out, because its statement is faster.
 *
 * @returns the tables with at most MOST_ROWS rows. Other tables need their own statement
 */
export async function countTogether(
  reader: Reader,
  figures: readonly FigureName[],
  selection: Selection,
): Promise<Partial<Record<FigureName, CountsByKey>>> {
  const passes = Map.groupBy(figures, (figure) => JSON.stringify(filtersOf(figure, selection)));
  const tables: Partial<Record<FigureName, CountsByKey>> = {};
  for (const [filters, together] of passes) {
    if (together.length === 1) continue;
    const ofPass = { ...selection, filters: JSON.parse(filters) };
    const inProgress: TableInProgress[] = together.map((figure) => ({ figure, counts: new Map() }));
    await countRows(reader, 'clicks', ofPass, inProgress);
    const ofVisits = inProgress.filter(({ figure }) => hasVisits(figure));
    await countRows(reader, 'visits', ofPass, ofVisits);
    for (const { figure, counts } of inProgress)
      if (counts) tables[figure] = await nameKeys(reader, figure, selection, counts);
  }
  return tables;
}

/** Reads clicks or visits once, and adds each row to all tables. */
async function countRows(
  reader: Reader,
  what: Counted,
  selection: Selection,
  inProgress: readonly TableInProgress[],
): Promise<void> {
  const rows = selectRows(what, selection);
  const groups = groupTables(inProgress);
  const columns = groups.map(({ tables }) =>
    tables
      .map(({ figure }) => valueSql(figure, rows, selection))
      .join(` || char(${SEPARATOR.charCodeAt(0)}) || `),
  );
  const sql = `SELECT ${[...columns, rows.rated].join(', ')}
FROM ${what}
WHERE ${rows.counted}`;
  await reader.each(sql, rows.values, (row: Value[]) => {
    const rated = Number(row[groups.length]);
    for (let i = 0; i < groups.length; i += 1) countRow(groups[i] as Group, row[i] as Value, rated);
  });
  for (const group of groups) addToTables(group, what);
}

/** Groups the tables that JOINED counts together. Each other table is a group of its own. */
function groupTables(inProgress: readonly TableInProgress[]): Group[] {
  const joinedWith = (figure: FigureName) => JOINED.find((names) => names.includes(figure));
  const groups = Map.groupBy(inProgress, ({ figure }) => joinedWith(figure) ?? figure);
  return [...groups.values()].map((tables) => ({
    tables,
    most: tables.length === 1 ? MOST_ROWS : MOST_COMBINATIONS,
    numbers: new Map(),
  }));
}

/** Counts a row. @param rated 1 if it counts for the click rate, otherwise 0 */
function countRow(group: Group, value: Value, rated: number): void {
  const known = group.numbers?.get(value);
  if (known) {
    known.rows += 1;
    known.rated += rated;
  } else if (group.numbers?.size === group.most) {
    group.numbers = null;
  } else {
    group.numbers?.set(value, { rows: 1, rated });
  }
}

/** Adds the numbers of joined values to each of their tables. */
function addToTables({ tables, numbers }: Group, what: Counted): void {
  if (!numbers) {
    for (const table of tables) table.counts = null;
    return;
  }
  for (const [joined, { rows, rated }] of numbers) {
    const values = tables.length === 1 ? [joined] : String(joined).split(SEPARATOR);
    for (const [i, table] of tables.entries()) {
      const counts = countsAt(table, values[i] as Value);
      if (!counts) continue;
      counts[what] += rows;
      counts.rated += rated;
    }
  }
}

/** Finds or adds the counts of a value. Null: the table is too long. */
function countsAt(table: TableInProgress, value: Value): Counts | null {
  const { counts } = table;
  const known = counts?.get(value);
  if (!counts || known) return known ?? null;
  if (counts.size === MOST_ROWS) {
    table.counts = null;
    return null;
  }
  const added = noCounts();
  counts.set(value, added);
  return added;
}

/** Replaces the values of a table by the keys that a reader sees. The database computes them. */
async function nameKeys(
  reader: Reader,
  figure: FigureName,
  selection: Selection,
  counts: ReadonlyMap<Value, Counts>,
): Promise<CountsByKey> {
  const key = keySql(figure, selection, reader.kind);
  const sql = `SELECT ${key} FROM json_each($1) ORDER BY json_each.key`;
  const keys = await reader.all<[string]>(sql, [JSON.stringify([...counts.keys()])]);
  const rows = [...counts.values()];
  return Object.fromEntries(keys.map(([name], i) => [name, rows[i] ?? noCounts()]));
}
