/** Makes the report's tables from the counts of a scan. */
import { CTA_EVENTS, isCtaEvent } from '#contract/cta.ts';
import type { CodeEntry } from '../links/campaigns.ts';
import { option } from '../text/shell.ts';
import { byCodeUnits, type Texts } from './engine/dictionary.ts';
import { DEVICES, SCREENS, VIAS } from './engine/record.ts';
import { AGES, GROUPS, type Tally } from './engine/tally.ts';
import type { Column, Report, Row, Scope, Table, TableId } from './report.ts';
import { robotsTable } from './robots-table.ts';
import { sourceTable } from './source-table.ts';
import { dayOf, isoWeek, startOf } from './weeks.ts';

export interface MakeOptions extends Scope {
  isShared: boolean;
  /** Data folders that the commands name. */
  folders: readonly string[];
  /** Rows of a table by ref or campaign, before the rest. */
  top: number;
  /** The table of codes of links; missing: there is none. */
  codes?: readonly CodeEntry[];
}

/** A value of a dimension with its counts. */
export interface Counted {
  value: string;
  clicks: number;
  robots: number;
}

const DAY_MS = 86_400_000;
export const CLICKS: Column = { title: 'Clicks', options: [] };
export const ROBOTS: Column = { title: 'Robots', options: ['--robots', 'only'] };

export function makeReport(
  tally: Tally,
  texts: Texts,
  options: MakeOptions,
  more: { tables: readonly Table[]; unknown: readonly string[] },
): Report {
  const { isShared, folders, since, until, asOf } = options;
  const events = sorted(counted(tally.by.event, texts.event));
  const sources = { tally, texts, events: eventNames(events), options };
  const tables = [
    totalsTable(tally),
    ...dayTables(tally, texts, options, eventNames(events)),
    plainTable('event', 'Calls to action', 'Call to action', events, eventNote(events)),
    sourceTable('ref', sources),
    sourceTable('campaign', sources),
    plainTable(
      'domain',
      'Where visits came from',
      'Class',
      sorted(counted(tally.by.domain, texts.domain)),
      '',
    ),
    plainTable('device', 'Devices', 'Device', sorted(counted(tally.by.device, DEVICES)), ''),
    plainTable('screen', 'Screens', 'Screen', sorted(counted(tally.by.screen, SCREENS)), ''),
    plainTable('via', 'Ways of delivery', 'Way', sorted(counted(tally.by.via, VIAS)), VIA_NOTE),
    robotsTable(tally),
  ].filter(({ id, rows }) => !isUnused(id, rows));
  return {
    since,
    until,
    asOf,
    isShared,
    folders,
    tables: [...tables, ...more.tables],
    unknown: more.unknown,
  };
}

const VIA_NOTE =
  'fetch: by script. beacon: by script while the page went away. ping: by the browser itself, without script.';

/** Fields that no line has, because the servers were older. */
const isUnused = (id: TableId, rows: readonly Row[]) =>
  ['campaign', 'domain', 'device', 'screen', 'via'].includes(id) &&
  rows.every(({ kind, label }) => kind === 'total' || label === NOT_KNOWN);

const NOT_KNOWN = '(not known)';

function totalsTable(tally: Tally): Table {
  const sum = (kinds: number[]) =>
    kinds.reduce((all, kind) => all + countOf(tally.total, 0, [kind]), 0);
  const [clicks, robots] = [sum([0, 2]), sum([1, 3])];
  const row = (label: string, options: string[], n: number): Row => ({
    label,
    kind: 'value',
    options,
    cells: [n],
  });
  return {
    id: 'totals',
    title: 'Totals',
    of: 'Figure',
    columns: [{ title: 'Number', options: [] }],
    rows: [
      row('Clicks', [], clicks),
      row('Robots', ['--robots', 'only'], robots),
      row(
        'Clicks of visitors who ask for privacy',
        ['--private'],
        countOf(tally.private, 0, [0, 2]),
      ),
      row(
        'Repeated lines, not counted',
        ['--duplicates', '--robots', 'all'],
        tally.duplicates[0] ?? 0,
      ),
    ],
    note: 'Clicks are without robots. Each click counts once, on the day when a server received it first (UTC).',
  };
}

function dayTables(tally: Tally, texts: Texts, scope: Scope, events: string[]): Table[] {
  const first = dayOf(scope.since);
  const count = tally.by.day.length / GROUPS;
  const days = Array.from({ length: count }, (_, i) => dayOf(startOf(first) + i * DAY_MS));
  const codes = events.map((event) => texts.event.indexOf(event));
  const cells = (i: number) => [
    countOf(tally.by.day, i, [0, 2]),
    ...codes.map((code) => tally.dayEvent.get(i * texts.event.length + code) ?? 0),
    countOf(tally.by.day, i, [1, 3]),
  ];
  const columns = [CLICKS, ...events.map(eventColumn), ROBOTS];
  const rows = days.map(
    (day, i): Row => ({ label: day, kind: 'value', options: ['--day', day], cells: cells(i) }),
  );
  const weeks = Map.groupBy(rows, ({ label }) => isoWeek(label));
  const weekRows = [...weeks].map(
    ([week, its]): Row => ({
      label: week,
      kind: 'value',
      options: ['--week', week],
      cells: columns.map((_, i) => sumOf(its.map((row) => row.cells[i] ?? 0))),
    }),
  );
  const hours = Array.from(
    { length: 24 },
    (_, hour): Row => ({
      label: `${String(hour).padStart(2, '0')}:00`,
      kind: 'value',
      options: ['--hour', String(hour)],
      cells: [countOf(tally.by.hour, hour, [0, 2]), countOf(tally.by.hour, hour, [1, 3])],
    }),
  );
  return [
    { id: 'day', title: 'Clicks per day', of: 'Day (UTC)', columns, rows, note: '' },
    {
      id: 'week',
      title: 'Clicks per week',
      of: 'ISO week',
      columns,
      rows: weekRows,
      note: partWeeks(scope),
    },
    {
      id: 'hour',
      title: 'Clicks per hour of the day',
      of: 'Hour (UTC)',
      columns: [CLICKS, ROBOTS],
      rows: hours,
      note: '',
    },
  ];
}

/** Says so if the first or last week is incomplete. */
function partWeeks({ since, until }: Scope): string {
  const isMonday = (ms: number) => new Date(ms).getUTCDay() === 1;
  const parts = [...(isMonday(since) ? [] : ['first']), ...(isMonday(until) ? [] : ['last'])];
  if (parts.length === 0) return '';
  return `The ${parts.join(' and the ')} week ${parts.length > 1 ? 'are' : 'is'} incomplete in this period.`;
}

const DIMENSION_OPTION: Partial<Record<TableId, string>> = {
  event: '--event',
  domain: '--domain',
  device: '--device',
  screen: '--screen',
  via: '--via',
};

function plainTable(
  id: TableId,
  title: string,
  of: string,
  values: Counted[],
  note: string,
): Table {
  const name = DIMENSION_OPTION[id] as string;
  const rows = values.map(
    ({ value, clicks, robots }): Row => ({
      label: value || NOT_KNOWN,
      kind: 'value',
      options: option(name, value),
      cells: [clicks, robots],
    }),
  );
  return { id, title, of, columns: [CLICKS, ROBOTS], rows: [...rows, totalRow(rows)], note };
}

export const totalRow = (rows: readonly Row[], columns = 2): Row => ({
  label: 'All',
  kind: 'total',
  options: [],
  cells: Array.from({ length: columns }, (_, i) => sumOf(rows.map(({ cells }) => cells[i] ?? 0))),
});

function eventNote(events: Counted[]): string {
  const unknown = events.filter(({ value }) => !isCtaEvent(value)).map(({ value }) => value);
  return unknown.length === 0 ? '' : `Not on this version’s list: ${unknown.join(', ')}.`;
}

/** The known calls to action, then those of newer pages. Calls to action are few; all others are in the total. */
const eventNames = (events: Counted[]): string[] => [
  ...CTA_EVENTS.filter((name) => events.some(({ value }) => value === name)),
  ...events
    .map(({ value }) => value)
    .filter((name) => !isCtaEvent(name))
    .slice(0, 4),
];

export const eventColumn = (event: string): Column => ({
  title: event,
  options: option('--event', event),
});

/** @param kinds 0 person, 1 robot, 2 and 3 where the mark and the present list differ */
export function countOf(counts: Float64Array, code: number, kinds: readonly number[]): number {
  return sumOf(kinds.map((kind) => counts[code * GROUPS + kind * AGES] ?? 0));
}

export const counted = (counts: Float64Array, values: readonly string[]): Counted[] =>
  values.map((value, code) => ({
    value,
    clicks: countOf(counts, code, [0, 2]),
    robots: countOf(counts, code, [1, 3]),
  }));

/** The largest first, without values that have no clicks. */
export const sorted = (values: Counted[]): Counted[] =>
  values
    .filter(({ clicks, robots }) => clicks + robots > 0)
    .sort((a, b) => b.clicks - a.clicks || b.robots - a.robots || byCodeUnits(a.value, b.value));

export const sumOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
