/**
 * Tables whose rows filter the page: sources, calls to action, devices and languages, weekdays and
 * hours.
 */
import { text } from '../../html/html-page.ts';
import { addUp } from '../figures/figures.ts';
import { hideSmall, isSmall } from '../figures/hide-small.ts';
import { brief, change, rate, signed, whole } from '../figures/numbers.ts';
import type { Report, Row } from '../figures/report.ts';
import { NOT_KEPT, OTHERS, type TableName } from '../figures/selection.ts';
import { SOURCE_DIMENSIONS } from '../question.ts';
import type { Links } from './addresses.ts';
import {
  beforeInWords,
  CURRENT,
  colored,
  count,
  DIMENSION_NAMES,
  headCell,
  placeOf,
  section,
  spoken,
  table,
  UNDER,
} from './words.ts';

const MOST_ROWS = 11;
const NO_CLICKS = '<p class="lead">No clicks.</p>';
/** Key of the row that adds up the others. */
const REST = ' ';
const CELL_NAMES = {
  visits: 'Visits',
  clicks: 'Clicks',
  rate: 'per 100',
  share: 'Share',
  change: 'Change',
};
type Cell = keyof typeof CELL_NAMES;
const SORTED = ' class="num" aria-sort="descending"';
const CHECK = '<span aria-hidden="true"> ✓</span>';
const COUNTED: Cell[] = ['visits', 'clicks', 'rate', 'change'];
/** Clicks of two hours in 30 days, from which on a cell has the next tint. */
const TINTS = [4, 10, 20, 30];

export function sources(report: Report, links: Links): string {
  const { question, now, tables, site } = report;
  const hasSites = site.referrerDetail === 'domain';
  const by = question.by === 'site' && !hasSites ? 'class' : question.by;
  if (question.isShared)
    return filterTables(report, links, 'Sources', 'source', 'medium', 'campaign', 'class');
  const names = SOURCE_DIMENSIONS.filter((name) => name !== 'site' || hasSites);
  const choices = names.map((name) =>
    links.to({ by: name, all: null }, DIMENSION_NAMES[name], name === by ? CURRENT : ''),
  );
  const unknown = now.clicks - now.rated;
  const without = `leave out ${count(unknown, 'click')} without a known visit, and `;
  const foot = `<p class="sm foot">Rates ${unknown > 0 ? without : ''}are not shown below 30\u00a0visits. Change compares clicks with ${beforeInWords(question)}, and sorts by their difference.</p>`;
  // Under a filter of its own, the table has more than the page's figures.
  const differences = question.filters[by] === undefined ? largestDifferences(tables[by]) : '';
  const body = `${differences}
${links.hasLinks ? `<ul class="sw" aria-label="Group by"><li>${choices.join('</li><li>')}</li></ul>` : ''}
${filterTable(report, links, by)}
${notKept(tables[by], by)}${foot}`;
  return section('src', 'Sources', links.downloads(by, 'sources'), body);
}

const WHY_NOT_KEPT =
  'It is an e-mail address or a telephone number, has no letter and no digit, or more than 64\u00a0characters.';

/** Says how many visits and clicks had a value of which nothing is kept. */
function notKept(rows: readonly Row[], by: (typeof SOURCE_DIMENSIONS)[number]): string {
  const row = rows.find(({ key }) => key === NOT_KEPT);
  if (!row || row.now.visits + row.now.clicks === 0) return '';
  const had = `${count(row.now.visits, 'visit')} and ${count(row.now.clicks, 'click')} had a`;
  const says =
    by === 'ref'
      ? `${had} ref that could not be read.`
      : `${had} ${DIMENSION_NAMES[by].toLowerCase()} that is not kept. ${WHY_NOT_KEPT}`;
  return `<p class="sm">${says}</p>\n`;
}

function largestDifferences(rows: readonly Row[]): string {
  const differences = rows
    .map(({ name, code, now, before }) => ({
      // Links without a name have the same words.
      name: name.startsWith('Not in the list') ? code : name,
      n: now.clicks - (before ?? now).clicks,
    }))
    .filter(({ n }) => n !== 0)
    .sort((a, b) => Math.abs(b.n) - Math.abs(a.n));
  if (differences.length === 0 || rows.every(({ before }) => !before?.clicks)) return '';
  const total = differences.reduce((sum, { n }) => sum + n, 0);
  const more = `${count(Math.abs(total), total > 0 ? 'more click' : 'fewer click')} than`;
  const largest = differences.slice(0, 3).map(({ name, n }) => `${signed(n)}\u00a0${text(name)}`);
  return `<p class="lead">${total === 0 ? 'As many clicks as' : more} before: ${largest.join(', ')}.</p>`;
}

export function filterTables(report: Report, links: Links, title: string, ...names: TableName[]) {
  const id = String(names[0]);
  const tables = names.map((name) => filterTable(report, links, name));
  return section(id, title, links.downloads(id, title.toLowerCase()), tables.join('\n'));
}

function filterTable(report: Report, links: Links, name: TableName): string {
  const { isWhole, isShared, filters, sort } = report.question;
  const current = filters[name];
  const rows = isWhole ? report.tables[name] : shorten(report.tables[name], name, current);
  if (rows.length === 0) return NO_CLICKS;
  const hidden = isShared ? hideSmall(rows) : null;
  if (isShared && !hidden) return '<p class="lead">These figures are too small to share.</p>';
  const own: Cell[] = name === 'cta' ? ['clicks', 'share', 'change'] : COUNTED;
  // Other cells could give away a small figure.
  const cells = own.filter((cell) => !isShared || cell === 'visits' || cell === 'clicks');
  const print = cellPrinter(rows, hidden);
  const label = (row: Row) => rowName(row, name, row.key === current, links);
  const lines = rows.map((row) => [label(row), cells.map((cell) => print[cell](row))] as const);
  const isSorted = SOURCE_DIMENSIONS.some((source) => source === name) && links.hasLinks;
  const heads = cells.map((cell) => {
    const words = CELL_NAMES[cell];
    if (!isSorted) return headCell(words, isShared ? ' class="wide"' : undefined);
    if (cell !== sort) return headCell(links.to({ sort: cell }, words));
    return headCell(`${words}<span aria-hidden="true"> ↓</span>`, SORTED);
  });
  const caption = `${DIMENSION_NAMES[name]}: ${cells.map((cell) => CELL_NAMES[cell]).join(', ')}`;
  return table(name, caption, headCell(DIMENSION_NAMES[name], '') + heads.join(''), lines);
}

/** Adds up all rows but the first ones and the current one. */
function shorten(rows: readonly Row[], name: TableName, current = ''): readonly Row[] {
  const shown = rows.filter(({ key }, i) => i < MOST_ROWS || key === current);
  const others = rows.filter((row) => !shown.includes(row));
  // One row takes as much room as that of the others.
  if (others.length < 2) return rows;
  const more = `${whole(others.length)} more ${name === 'ref' ? 'links' : ''}`;
  const before = others.flatMap((row) => row.before ?? []);
  const rest = {
    key: REST,
    name: more,
    code: 'show all',
    now: addUp(others.map(({ now }) => now)),
    before: before.length < others.length ? null : addUp(before),
  };
  return [...shown, rest];
}

function rowName({ key, name, code }: Row, table: TableName, isCurrent: boolean, links: Links) {
  const changes = key === REST ? { all: '1' } : { [table]: key };
  const link = links.to(changes, text(name), isCurrent ? CURRENT : '');
  const check = isCurrent ? CHECK : '';
  const beside =
    code && (links.hasLinks || key !== REST) ? ` <span class="cd">${text(code)}</span>` : '';
  return `${key === OTHERS ? text(name) : link}${check}${beside}`;
}

/** @param hidden figures that a reader outside the team does not see */
function cellPrinter(rows: readonly Row[], hidden: ReturnType<typeof hideSmall>) {
  const total = rows.reduce((sum, { now }) => sum + now.clicks, 0);
  const bars = (cell: 'visits' | 'clicks') => {
    const most = Math.max(1, ...rows.map(({ key, now }) => (key === REST ? 0 : now[cell])));
    return (row: Row) => {
      const n = row.now[cell];
      if (hidden)
        return `<td>${hidden[cell].has(row) ? (isSmall(n) ? UNDER : 'hidden') : whole(n)}</td>`;
      const width = row.key === REST ? 0 : Math.ceil((100 * n) / most);
      return `<td class="${cell}">${brief(n, 100_000)}<svg aria-hidden="true"><rect width="${width}%" height="100%"/></svg></td>`;
    };
  };
  return {
    visits: bars('visits'),
    clicks: bars('clicks'),
    rate: ({ now }: Row) => `<td class="r">${spoken(rate(now))}</td>`,
    share: ({ now }: Row) => `<td class="r">${Math.round((100 * now.clicks) / (total || 1))}%</td>`,
    change: ({ now, before }: Row) => colored('td', change(now.clicks, before?.clicks ?? null)),
  };
}

/** Two hours a column, so that a cell has room for its number on a phone. */
export function hours({ heat, busiest, question }: Report, links: Links): string {
  // On a busy site, or on one day, each cell would have the darkest tint.
  const largest = Math.max(...heat.flatMap(({ cells }) => cells));
  const scale = Math.max(question.length / 30, largest / 45);
  const rows = heat.map(({ key, name, cells }) => {
    const isCurrent = question.filters.weekday === key;
    const link = links.to({ weekday: key }, name.slice(0, 3), isCurrent ? CURRENT : '');
    const day = `${link}${isCurrent ? CHECK : ''}`;
    const figures = cells.map((n) => {
      const tint = TINTS.filter((least) => n >= least * scale).length;
      return `<td class="h${tint}">${brief(n, 1000)}</td>`;
    });
    return [day, figures] as const;
  });
  const halves = `<th rowspan="2" scope="col"><span class="vh">Weekday</span></th><th scope="colgroup" colspan="6">am</th><th scope="colgroup" colspan="6">pm</th></tr><tr>`;
  const half = [12, 2, 4, 6, 8, 10].map((hour) => headCell(String(hour), '')).join('');
  const caption = `Clicks by weekday and hour, two hours a column, ${placeOf(question.timeZone)}`;
  const grid = table('heat', caption, halves + half + half, rows);
  const lead = busiest ? `<p class="lead">Most clicks ${busiest}.</p>\n` : '';
  const body = largest > 0 ? lead + grid : NO_CLICKS;
  return section('hr', 'When they press', links.downloads('hour', 'when they press'), body);
}
