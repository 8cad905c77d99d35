/** The clicks that gaps in the numbers of visits prove to be lost, by day. */
import { totalRow } from './make-report.ts';
import type { Row, Scope, Table } from './report.ts';
import { dayOf } from './weeks.ts';

/**
 * @param lostPerDay from `countSeqGaps`; null: no visit has a click after its first one, so there is nothing to see
 */
export function gapsTable(
  lostPerDay: ReadonlyMap<string, number> | null,
  { since, until }: Scope,
): Table | null {
  if (lostPerDay === null) return null;
  const [first, last] = [dayOf(since), dayOf(until - 1)];
  const rows = [...lostPerDay]
    .filter(([day]) => day >= first && day <= last)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, lost]): Row => ({ label: day, kind: 'value', options: [], cells: [lost] }));
  return {
    id: 'gaps',
    title: 'Clicks that are proven to be lost',
    of: 'Day (UTC)',
    columns: [{ title: 'Lost', options: null }],
    rows: [...rows, totalRow(rows, 1)],
    note:
      'A visit numbers its clicks, so a missing number before a later one is a lost click. It counts on the day of the later ' +
      'one, until it arrives: a browser keeps it for 7 days. A lost last click leaves no gap.',
  };
}
