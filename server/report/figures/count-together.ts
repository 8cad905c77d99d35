/**
 * Counts rows for several tables of the report in one pass. Its tables are those of `figureQuery`,
 * as long as they are short.
 *
 * It is for SQLite, which sorts all rows for each GROUP BY: of 5 million clicks and as many visits,
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
import { type Counts, noCounts, type Table } from './figures.ts';
import { type Counted, type Selection, selectRows } from './selection.ts';

/** The counts of a table by the value of its rows, before values become keys. */
interface Counting {
  figure: FigureName;
  /** null: the table has more values than a table of the report has rows. */
  counts: Map<Value, Counts> | null;
}

/** Returns the tables that have at most MOST_ROWS rows. The others need their own statement. */
export async function countTogether(
  reader: Reader,
  figures: readonly FigureName[],
  selection: Selection,
): Promise<Partial<Record<FigureName, Table>>> {
  const passes = Map.groupBy(figures, (figure) => JSON.stringify(filtersOf(figure, selection)));
  const tables: Partial<Record<FigureName, Table>> = {};
  for (const [filters, together] of passes) {
    const ofPass = { ...selection, filters: JSON.parse(filters) };
    const countings: Counting[] = together.map((figure) => ({ figure, counts: new Map() }));
    await countRows(reader, 'clicks', ofPass, countings);
    const ofVisits = countings.filter(({ figure }) => hasVisits(figure));
    await countRows(reader, 'visits', ofPass, ofVisits);
    for (const { figure, counts } of countings)
      if (counts) tables[figure] = await nameKeys(reader, figure, selection, counts);
  }
  return tables;
}

/** Adds the rows of clicks or visits to all tables. */
async function countRows(
  reader: Reader,
  what: Counted,
  selection: Selection,
  countings: readonly Counting[],
): Promise<void> {
  const rows = selectRows(what, selection);
  const columns = countings.map(({ figure }) => valueSql(figure, rows, selection));
  const sql = `SELECT ${[...columns, rows.rated].join(', ')}
FROM ${what}
WHERE ${rows.counted}`;
  await reader.each(sql, rows.values, (row: Value[]) => {
    const rated = Number(row[countings.length]);
    for (let i = 0; i < countings.length; i += 1) {
      const counts = countsAt(countings[i] as Counting, row[i] as Value);
      if (!counts) continue;
      counts[what] += 1;
      counts.rated += rated;
    }
  });
}

/** Returns the counts of a value, or null if the table has become too long. */
function countsAt(counting: Counting, value: Value): Counts | null {
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

async function nameKeys(
  reader: Reader,
  figure: FigureName,
  selection: Selection,
  counts: ReadonlyMap<Value, Counts>,
): Promise<Table> {
  const key = keySql(figure, selection, reader.kind);
  const sql = `SELECT ${key} FROM json_each($1) ORDER BY json_each.key`;
  const keys = await reader.all<[string]>(sql, [JSON.stringify([...counts.keys()])]);
  const rows = [...counts.values()];
  return Object.fromEntries(keys.map(([name], i) => [name, rows[i] ?? noCounts()]));
}
