/** Robots by two definitions: the mark that each line got when it was received, and the present list. */
import isbotPackage from 'isbot/package.json' with { type: 'json' };
import type { Tally } from './engine/tally.ts';
import { countOf } from './make-report.ts';
import type { Row, Table } from './report.ts';

const RELISTED = '--relisted';

export function robotsTable(tally: Tally): Table {
  const row = (label: string, kinds: number[], options: string[]): Row => ({
    label,
    kind: 'value',
    options,
    cells: [countOf(tally.total, 0, kinds)],
  });
  return {
    id: 'robots',
    title: 'Robots',
    of: 'Definition',
    columns: [{ title: 'Number', options: [] }],
    rows: [
      row('Marked as a robot when received', [1, 3], ['--robots', 'only']),
      row('Of these, not on the present list', [3], ['--robots', 'only', RELISTED]),
      row('Counted as a click, but on the present list', [2], [RELISTED]),
    ],
    note:
      'The mark is the server’s: the user agent of the page or of the request was on the list of isbot. All other figures ' +
      `follow the mark. The present list is isbot ${isbotPackage.version}, applied to the page’s user agent alone.`,
  };
}
