/**
 * Makes the SQL that reads the table of counts. Its expressions are those of the report
 * (selection.ts), so that a day, a campaign and a language mean the same in both.
 */
import type { Value } from '../../database/database.ts';
import { DAY_MS, HOUR_MS } from '../../time.ts';
import { clicksOf, type SelectedRows, type Selection, visitsOf } from '../figures/selection.ts';
import { CAUSE_DIMENSIONS } from './combination.ts';

export interface Query {
  sql: string;
  values: Value[];
}

/**
 * Makes the statement that counts visits and clicks by day and by the values of all dimensions.
 *
 * @returns a statement whose columns are the day (days since 1970), one value for each of
 * CAUSE_DIMENSIONS, visits, clicks and rated clicks
 */
export function countsQuery(selection: Selection): Query {
  const values: Value[] = [];
  const clicks = clicksOf(selection, values);
  const visits = visitsOf(selection, values);
  const sql = `
  SELECT ${groupsOf(clicks)}, 0, COUNT(*), SUM(${clicks.rated})
  FROM clicks
  WHERE ${clicks.counted}
  GROUP BY 1, 2, 3, 4, 5, 6, 7
  UNION ALL
  SELECT ${groupsOf(visits)}, COUNT(*), 0, 0
  FROM visits
  WHERE ${visits.counted}
  GROUP BY 1, 2, 3, 4, 5, 6`;
  return { sql, values };
}

/** Returns the columns by which rows are grouped. The button of a visit is an empty text. */
const groupsOf = ({ local, columns }: SelectedRows): string =>
  [`${local} / ${DAY_MS}`, ...CAUSE_DIMENSIONS.map((name) => columns[name] ?? "''")].join(', ');

/**
 * Makes the statement that counts visits by hour.
 *
 * @returns a statement whose columns are the hour (hours since 1970, in the team's time zone) and
 * its visits. Hours without a visit have no row
 */
export function hoursQuery(selection: Selection): Query {
  const { local, counted, values } = visitsOf(selection);
  const sql = `
  SELECT ${local} / ${HOUR_MS}, COUNT(*)
  FROM visits
  WHERE ${counted}
  GROUP BY 1`;
  return { sql, values };
}
