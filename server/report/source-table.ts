/** Clicks by ref or by campaign: the largest first, then the rest in one row. Shared reports hide small figures. */
import { option } from '../text/shell.ts';
import type { Texts } from './engine/dictionary.ts';
import type { Tally } from './engine/tally.ts';
import {
  CLICKS,
  type Counted,
  counted,
  eventColumn,
  type MakeOptions,
  ROBOTS,
  sorted,
  sumOf,
  totalRow,
} from './make-report.ts';
import { nameCodes } from './name-codes.ts';
import type { Row, Table } from './report.ts';
import { SMALLEST_SHOWN, suppressSmall } from './suppress.ts';

interface Sources {
  tally: Tally;
  texts: Texts;
  /** Calls to action that have columns of their own. */
  events: string[];
  options: MakeOptions;
}

const WORDS = {
  ref: { title: 'Clicks by ref', of: 'Ref', none: '(no ref)', plural: 'refs' },
  campaign: {
    title: 'Clicks by campaign',
    of: 'Campaign',
    none: '(no campaign)',
    plural: 'campaigns',
  },
};
const HIDDEN_NOTE = `Figures below ${SMALLEST_SHOWN} are hidden, with others from which they could be computed.`;

export function sourceTable(id: 'ref' | 'campaign', sources: Sources): Table {
  const { tally, texts, events, options } = sources;
  const values = sorted(counted(tally.by[id], texts[id]));
  // Only the refs have counts by call to action.
  const codes = id === 'ref' ? events.map((event) => texts.event.indexOf(event)) : [];
  const cellsOf = (value: string) => {
    const at = texts.ref.indexOf(value) * texts.event.length;
    return codes.map((code) => tally.refEvent.get(at + code) ?? 0);
  };
  const shown = codes.length > 0 ? events : [];
  const table = options.isShared
    ? sharedTable(id, values, cellsOf, shown, options.top)
    : wholeTable(id, values, cellsOf, shown, options.top);
  if (id !== 'ref') return table;
  return nameCodes(table, options.isShared ? null : values, options.codes ?? []);
}

/** The values of a campaign without their names, which would fill a narrow drawing. */
const labelOf = (id: 'ref' | 'campaign', value: string): string =>
  (id === 'ref'
    ? value
    : value.replace(/(?:^| )[a-z]+=/g, (name) => (name.startsWith(' ') ? ' / ' : ''))) ||
  WORDS[id].none;

type Cells = (value: string) => number[];

function wholeTable(
  id: 'ref' | 'campaign',
  values: Counted[],
  cellsOf: Cells,
  events: string[],
  top: number,
): Table {
  const { title, of, none, plural } = WORDS[id];
  const cells = ({ value, clicks, robots }: Counted) => [clicks, ...cellsOf(value), robots];
  const named = values.slice(0, values.length === top + 1 ? top + 1 : top);
  const others = values.slice(named.length);
  const columns = [CLICKS, ...events.map(eventColumn), ROBOTS];
  const rows = named.map(
    (value): Row => ({
      label: labelOf(id, value.value),
      kind: 'value',
      options: option(`--${id}`, value.value),
      cells: cells(value),
    }),
  );
  if (others.length > 0) {
    rows.push({
      label: `${others.length} other ${plural}`,
      kind: 'rest',
      options: named.flatMap(({ value }) => option(`--not-${id}`, value)),
      cells: columns.map((_, i) => sumOf(others.map((value) => cells(value)[i] ?? 0))),
    });
  }
  return {
    id,
    title,
    of,
    none,
    columns,
    rows: [...rows, totalRow(rows, columns.length)],
    note: '',
  };
}

function sharedTable(
  id: 'ref' | 'campaign',
  values: Counted[],
  cellsOf: Cells,
  events: string[],
  top: number,
): Table {
  const { title, of, none, plural } = WORDS[id];
  const people = values.filter(({ clicks }) => clicks > 0);
  const { shown, rest } = suppressSmall(
    people.map(({ value, clicks }) => ({ key: value, clicks, cells: cellsOf(value) })),
    top,
  );
  const row = (
    label: string,
    kind: Row['kind'],
    clicks: number,
    cells: (number | null)[],
  ): Row => ({
    label,
    kind,
    options: [],
    cells: [clicks, ...cells],
  });
  const rows = shown.map(({ key, clicks, cells }) => row(labelOf(id, key), 'value', clicks, cells));
  if (rest) rows.push(row(`Other ${plural}`, 'rest', rest.clicks, rest.cells));
  const all = events.map((_, i) => sumOf(people.map(({ value }) => cellsOf(value)[i] ?? 0)));
  const clicks = sumOf(people.map((value) => value.clicks));
  return {
    id,
    title,
    of,
    none,
    columns: [CLICKS, ...events.map(eventColumn)],
    rows: [...rows, row('All', 'total', clicks, all)],
    note: HIDDEN_NOTE,
  };
}
