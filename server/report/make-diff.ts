/** Compares the report as of two times, and names the reason of each change. */
import type { DeletionNote } from '../clicks/retention/deleted-clicks.ts';
import { byCodeUnits, type Texts } from './engine/dictionary.ts';
import { DEVICES, SCREENS, VIAS } from './engine/record.ts';
import { AGES, GROUPS, type Tally } from './engine/tally.ts';
import { NOT_KNOWN, sumOf } from './make-report.ts';
import type { Column, Report, Row, Scope, Table, TableId } from './report.ts';
import { labelOf } from './source-table.ts';
import { dayOf, isoWeek, startOf } from './weeks.ts';

const DAY_MS = 86_400_000;
const PEOPLE = [0, 2];
const MARKED = [1, 3];

export interface DiffOptions extends Scope {
  /** The earlier of the two times; `asOf` is the later one. */
  before: number;
  folders: readonly string[];
  /** Rows of a table. */
  top: number;
  /** What retention and `clicks forget` have deleted, in all folders. */
  deleted: readonly DeletionNote[];
}

/** Clicks or robots of one value: received by the earlier time, and received later by reason. */
interface Change {
  label: string;
  cells: [before: number, late: number, made: number, after: number];
}

const columns = (before: number, after: number): Column[] =>
  [
    `as of ${new Date(before).toISOString()}`,
    'arrived late',
    'made since',
    `as of ${new Date(after).toISOString()}`,
  ].map((title) => ({ title, options: null }));

/** @param tally counted as of the later time, split at the earlier one */
export function makeDiff(tally: Tally, texts: Texts, options: DiffOptions): Report {
  const { since, until, before, asOf, folders } = options;
  const first = startOf(dayOf(since));
  const days = Array.from({ length: tally.by.day.length / GROUPS }, (_, i) =>
    dayOf(first + i * DAY_MS),
  );
  const table = (id: TableId, title: string, of: string, changes: Change[], note = ''): Table => ({
    id,
    title,
    of,
    columns: columns(before, asOf),
    rows: rowsOf(changes, options.top),
    note,
  });
  const by = (counts: Float64Array, values: readonly string[], none: string) =>
    changesOf(
      counts,
      PEOPLE,
      values.map((value) => value || none),
    );
  const perDay = by(tally.by.day, days, '');
  const tables = [
    table('totals', 'Totals', 'Figure', totals(tally), TOTALS_NOTE),
    table('day', 'Clicks per day', 'Day (UTC)', perDay),
    table('week', 'Clicks per week', 'ISO week', inWeeks(perDay)),
    table('hour', 'Clicks per hour of the day', 'Hour (UTC)', by(tally.by.hour, HOURS, '')),
    table('event', 'Calls to action', 'Call to action', by(tally.by.event, texts.event, NOT_KNOWN)),
    table('ref', 'Clicks by ref', 'Ref', by(tally.by.ref, texts.ref, '(no ref)')),
    table(
      'campaign',
      'Clicks by campaign',
      'Campaign',
      by(
        tally.by.campaign,
        texts.campaign.map((name) => labelOf('campaign', name)),
        '',
      ),
    ),
    table(
      'domain',
      'Where visits came from',
      'Class',
      by(tally.by.domain, texts.domain, NOT_KNOWN),
    ),
    table('device', 'Devices', 'Device', by(tally.by.device, DEVICES, NOT_KNOWN)),
    table('screen', 'Screens', 'Screen', by(tally.by.screen, SCREENS, NOT_KNOWN)),
    table('via', 'Ways of delivery', 'Way', by(tally.by.via, VIAS, NOT_KNOWN)),
  ].filter(({ rows }) => rows.length > 0);
  const unknown = [robotSentence(tally), ...deletionSentences(options)];
  return { since, until, asOf, isShared: false, folders, tables, unknown };
}

const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);
const TOTALS_NOTE =
  'Only changed figures are listed. arrived late: made before the first time, but the browser could deliver them only ' +
  'after it. made since: made after it.';

function totals(tally: Tally): Change[] {
  const [before = 0, later = 0] = tally.duplicates;
  return [
    ...changesOf(tally.total, PEOPLE, ['Clicks']),
    ...changesOf(tally.total, MARKED, ['Robots']),
    ...changesOf(tally.private, PEOPLE, ['Clicks of visitors who ask for privacy']),
    { label: 'Repeated lines, not counted', cells: [before, 0, later, before + later] },
  ];
}

function changesOf(
  counts: Float64Array,
  kinds: readonly number[],
  labels: readonly string[],
): Change[] {
  return labels.map((label, code) => {
    const [before = 0, late = 0, made = 0] = Array.from({ length: AGES }, (_, age) =>
      sumOf(kinds.map((kind) => counts[code * GROUPS + kind * AGES + age] ?? 0)),
    );
    return { label, cells: [before, late, made, before + late + made] };
  });
}

function inWeeks(days: readonly Change[]): Change[] {
  return [...Map.groupBy(days, ({ label }) => isoWeek(label))].map(([label, its]) => {
    const sum = (i: 0 | 1 | 2 | 3) => sumOf(its.map(({ cells }) => cells[i]));
    return { label, cells: [sum(0), sum(1), sum(2), sum(3)] };
  });
}

/** Changed values, the largest change first, then all others in one row. */
function rowsOf(changes: readonly Change[], top: number): Row[] {
  const size = ({ cells }: Change) => cells[3] - cells[0];
  const changed = changes
    .filter((change) => size(change) > 0)
    .sort((a, b) => size(b) - size(a) || byCodeUnits(a.label, b.label));
  const rows = changed
    .slice(0, top)
    .map(({ label, cells }): Row => ({ label, kind: 'value', options: [], cells }));
  const others = changed.slice(top);
  if (others.length === 0) return rows;
  const cells = [0, 1, 2, 3].map((i) => sumOf(others.map((change) => change.cells[i] ?? 0)));
  return [...rows, { label: `${others.length} others`, kind: 'rest', options: [], cells }];
}

function robotSentence(tally: Tally): string {
  const of = (kind: number) =>
    sumOf(Array.from({ length: AGES }, (_, age) => tally.total[kind * AGES + age] ?? 0));
  return (
    'A new list of robots changes none of these figures, because each line keeps its mark. By the present list, ' +
    `${of(2)} of the clicks would be robots, and ${of(3)} of the robots would be clicks.`
  );
}

function deletionSentences({ since, until, before, deleted }: DiffOptions): string[] {
  return deleted
    .filter((note) => Date.parse(note.deleted_at) > before)
    .filter(({ oldest, newest }) => Date.parse(newest) >= since && Date.parse(oldest) < until)
    .map(
      (note) =>
        `${describeDeletion(note)} Reports made before then counted them; these figures do not.`,
    );
}

function describeDeletion({ reason, deleted_at, file, clicks, robots, ...note }: DeletionNote) {
  const days = `${dayOf(Date.parse(note.oldest))} to ${dayOf(Date.parse(note.newest))}`;
  if (reason === 'forgotten')
    return `A visitor was forgotten on request at ${deleted_at} (clicks forget): ${clicks} clicks of ${days} and ${robots} of robots, in ${file}.`;
  return `CLICK_RETENTION_DAYS deleted ${file} at ${deleted_at}, with ${clicks} clicks of ${days} and ${robots} of robots.`;
}
