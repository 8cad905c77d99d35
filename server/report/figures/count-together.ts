/**
 * Counts rows for several tables of the report in one pass, in JavaScript. The tables are the same
 * as those of `figureQuery`, which counts each table by one statement.
 *
 * Used with SQLite, which sorts all rows for each GROUP BY: of 5 million clicks and as many visits,
 * the statements of all tables need twice the CPU time. PostgreSQL counts groups in memory.
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

/** A table while it is counted. */
interface TableInProgress {
  figure: FigureName;
  /**
   * Counts by the value of rows (valueSql). null: more values than MOST_ROWS, so counting stopped.
   */
  counts: Map<Value, Counts> | null;
}

/**
 * Counts several tables. Tables with the same filters share a pass over the rows.
 *
 * @returns the tables with at most MOST_ROWS rows. Longer tables need their own statement
 */
export async function countTogether(
  reader: Reader,
  figures: readonly FigureName[],
  selection: Selection,
): Promise<Partial<Record<FigureName, CountsByKey>>> {
  const passes = Map.groupBy(figures, (figure) => JSON.stringify(filtersOf(figure, selection)));
  const tables: Partial<Record<FigureName, CountsByKey>> = {};
  for (const [filters, together] of passes) {
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
  const columns = inProgress.map(({ figure }) => valueSql(figure, rows, selection));
  const sql = `SELECT ${[...columns, rows.rated].join(', ')}
FROM ${what}
WHERE ${rows.counted}`;
  await reader.each(sql, rows.values, (row: Value[]) => {
    const rated = Number(row[inProgress.length]);
    for (let i = 0; i < inProgress.length; i += 1) {
      const counts = countsAt(inProgress[i] as TableInProgress, row[i] as Value);
      if (!counts) continue;
      counts[what] += 1;
      counts.rated += rated;
    }
  });
}

/** Finds or adds the counts of a value. Null: the table is too long. */
function countsAt(counting: TableInProgress, value: Value): Counts | null {
  const { counts } = counting;
  const known = counts?.get(value);
  if (!counts || known) return known ?? null;
  if (counts.size === MOST_ROWS) {
    counting.counts = null;
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
