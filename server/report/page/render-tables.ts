/**
 * Renders tables whose rows filter the page: sources, calls to action, devices and languages,
 * weekdays and hours.
 */
import { html, type SafeHtml } from '@remix-run/html-template';
import { printable } from '../../html/safe-text.ts';
import { addUp } from '../figures/figures.ts';
import { hideSmall, isSmall } from '../figures/hide-small.ts';
import { brief, briefChange, rate, signed, whole } from '../figures/numbers.ts';
import type { FigureRow, Report } from '../figures/report.ts';
import { NOT_KEPT, OTHERS, type TableName } from '../figures/selection.ts';
import { SOURCE_DIMENSIONS } from '../question.ts';
import type { Links } from './addresses.ts';
import {
  beforeInWords,
  CURRENT,
  countInWords,
  DIMENSION_NAMES,
  placeOf,
  renderChange,
  renderHeadCell,
  renderRate,
  renderSection,
  renderTable,
  UNDER_11,
} from './words.ts';

const MOST_ROWS = 11;
const NO_CLICKS = html`<p class="lead">No clicks.</p>`;
const TOO_SMALL = html`<p class="lead">These figures are too small to share.</p>`;
/** Key of the row that adds up the rows which the page does not show. */
const OTHERS_FOLDED = ' ';
const CELL_NAMES = {
  visits: 'Visits',
  clicks: 'Clicks',
  rate: 'per 100',
  share: 'Share',
  change: 'Change',
};
type Cell = keyof typeof CELL_NAMES;
const SORTED = html` class="num" aria-sort="descending"`;
const WIDE = html` class="wide"`;
const CHECK = html`<span aria-hidden="true"> ✓</span>`;
const DOWN = html`<span aria-hidden="true"> ↓</span>`;
const COUNTED: Cell[] = ['visits', 'clicks', 'rate', 'change'];
/** Clicks of two hours in 30 days, from which on a cell has the next tint. */
const TINTS = [4, 10, 20, 30];

export function renderSources(report: Report, links: Links): SafeHtml {
  const { question, tables, site } = report;
  const hasSites = site.referrerDetail === 'domain';
  const by = question.by === 'site' && !hasSites ? 'class' : question.by;
  if (question.isShared)
    return renderFilterTables(report, links, 'Sources', 'source', 'medium', 'campaign', 'class');
  const names = SOURCE_DIMENSIONS.filter((name) => name !== 'site' || hasSites);
  const choices = names.map((name) => {
    const current = name === by ? CURRENT : null;
    return html`<li>${links.to({ by: name, all: null }, DIMENSION_NAMES[name], current)}</li>`;
  });
  // Under a filter of its own, the table has more than the page's figures.
  const differences =
    question.filters[by] === undefined ? renderLargestDifferences(tables[by]) : null;
  const body = html`${differences}
${links.hasLinks ? html`<ul class="sw" aria-label="Group by">${choices}</ul>` : null}
${renderFilterTable(report, links, by)}
${renderNotKept(tables[by], by)}${renderAboutRates(report)}`;
  return renderSection('src', 'Sources', links.downloads(by, 'sources'), body);
}

function renderAboutRates({ question, now }: Report): SafeHtml {
  const unknown = now.clicks - now.rated;
  const without =
    unknown > 0 ? `leave out ${countInWords(unknown, 'click')} without a known visit, and ` : '';
  return html`<p class="sm foot">Rates ${without}are not shown below 30\u00a0visits.
Change compares clicks with ${beforeInWords(question)}, and sorts by their difference.</p>`;
}

const WHY_NOT_KEPT =
  'It is an e-mail address or a telephone number, has no letter and no digit, or more than 64\u00a0characters.';

/** Says how many visits and clicks had a value of which nothing is kept. */
function renderNotKept(
  rows: readonly FigureRow[],
  by: (typeof SOURCE_DIMENSIONS)[number],
): SafeHtml | null {
  const row = rows.find(({ key }) => key === NOT_KEPT);
  if (!row || row.now.visits + row.now.clicks === 0) return null;
  const had = `${countInWords(row.now.visits, 'visit')} and ${countInWords(row.now.clicks, 'click')} had a`;
  const says =
    by === 'ref'
      ? `${had} ref that could not be read.`
      : `${had} ${DIMENSION_NAMES[by].toLowerCase()} that is not kept. ${WHY_NOT_KEPT}`;
  return html`<p class="sm">${says}</p>
`;
}

function renderLargestDifferences(rows: readonly FigureRow[]): SafeHtml | null {
  const differences = rows
    .map(({ name, code, now, before }) => ({
      // Links without a name have the same words.
      name: name.startsWith('Not in the list') ? code : name,
      n: now.clicks - (before ?? now).clicks,
    }))
    .filter(({ n }) => n !== 0)
    .sort((a, b) => Math.abs(b.n) - Math.abs(a.n));
  if (differences.length === 0 || rows.every(({ before }) => !before?.clicks)) return null;
  const total = differences.reduce((sum, { n }) => sum + n, 0);
  const more = `${countInWords(Math.abs(total), total > 0 ? 'more click' : 'fewer click')} than`;
  const largest = differences
    .slice(0, 3)
    .map(({ name, n }) => `${signed(n)}\u00a0${printable(name)}`)
    .join(', ');
  return html`<p class="lead">${total === 0 ? 'As many clicks as' : more} before: ${largest}.</p>`;
}

export function renderFilterTables(
  report: Report,
  links: Links,
  title: string,
  ...names: TableName[]
): SafeHtml {
  const id = String(names[0]);
  const tables = names.map((name) => renderFilterTable(report, links, name));
  return renderSection(id, title, links.downloads(id, title.toLowerCase()), html`${tables}`);
}

function renderFilterTable(report: Report, links: Links, name: TableName): SafeHtml {
  const { isWhole, isShared, filters } = report.question;
  const current = filters[name];
  const rows = isWhole ? report.tables[name] : shorten(report.tables[name], name, current);
  if (rows.length === 0) return NO_CLICKS;
  const hidden = isShared ? hideSmall(rows) : null;
  if (isShared && !hidden) return TOO_SMALL;
  const own: Cell[] = name === 'cta' ? ['clicks', 'share', 'change'] : COUNTED;
  // Other cells could give away a small figure.
  const cells = own.filter((cell) => !isShared || cell === 'visits' || cell === 'clicks');
  const render = createCellRenderer(rows, hidden);
  const label = (row: FigureRow) => renderRowName(row, name, row.key === current, links);
  const lines = rows.map((row) => [label(row), cells.map((cell) => render[cell](row))] as const);
  const isSorted = SOURCE_DIMENSIONS.some((source) => source === name) && links.hasLinks;
  const heads = cells.map((cell) => renderCellHead(cell, report, isSorted ? links : null));
  const caption = `${DIMENSION_NAMES[name]}: ${cells.map((cell) => CELL_NAMES[cell]).join(', ')}`;
  return renderTable(name, caption, [renderHeadCell(DIMENSION_NAMES[name], null), ...heads], lines);
}

/** @param links null: the table cannot be sorted */
function renderCellHead(cell: Cell, { question }: Report, links: Links | null): SafeHtml {
  const words = CELL_NAMES[cell];
  if (!links) return renderHeadCell(words, question.isShared ? WIDE : undefined);
  if (cell !== question.sort) return renderHeadCell(links.to({ sort: cell }, words));
  return renderHeadCell(html`${words}${DOWN}`, SORTED);
}

/** Replaces the rows after the first ones by their sum. The current row stays. */
function shorten(rows: readonly FigureRow[], name: TableName, current = ''): readonly FigureRow[] {
  const shown = rows.filter(({ key }, i) => i < MOST_ROWS || key === current);
  const others = rows.filter((row) => !shown.includes(row));
  // One row takes as much room as that of the others.
  if (others.length < 2) return rows;
  const more = `${whole(others.length)} more ${name === 'ref' ? 'links' : ''}`;
  const before = others.flatMap((row) => row.before ?? []);
  const rest = {
    key: OTHERS_FOLDED,
    name: more,
    code: 'show all',
    now: addUp(others.map(({ now }) => now)),
    before: before.length < others.length ? null : addUp(before),
  };
  return [...shown, rest];
}

function renderRowName(
  { key, name, code }: FigureRow,
  table: TableName,
  isCurrent: boolean,
  links: Links,
): SafeHtml {
  const changes = key === OTHERS_FOLDED ? { all: '1' } : { [table]: key };
  const words = printable(name);
  const link = key === OTHERS ? words : links.to(changes, words, isCurrent ? CURRENT : null);
  const hasCode = code && (links.hasLinks || key !== OTHERS_FOLDED);
  const beside = hasCode ? html` <span class="cd">${printable(code)}</span>` : null;
  return html`${link}${isCurrent ? CHECK : null}${beside}`;
}

/** @param hidden figures that a reader outside the team does not see */
function createCellRenderer(rows: readonly FigureRow[], hidden: ReturnType<typeof hideSmall>) {
  const total = rows.reduce((sum, { now }) => sum + now.clicks, 0);
  const bars = (cell: 'visits' | 'clicks') => {
    const most = Math.max(
      1,
      ...rows.map(({ key, now }) => (key === OTHERS_FOLDED ? 0 : now[cell])),
    );
    return (row: FigureRow) => {
      const n = row.now[cell];
      if (hidden?.[cell].has(row)) return html`<td>${isSmall(n) ? UNDER_11 : 'hidden'}</td>`;
      if (hidden) return html`<td>${whole(n)}</td>`;
      const width = row.key === OTHERS_FOLDED ? 0 : Math.ceil((100 * n) / most);
      const bar = html`<svg aria-hidden="true"><rect width="${width}%" height="100%"/></svg>`;
      return html`<td class="${cell}">${brief(n, 100_000)}${bar}</td>`;
    };
  };
  return {
    visits: bars('visits'),
    clicks: bars('clicks'),
    rate: ({ now }: FigureRow) => html`<td class="r">${renderRate(rate(now))}</td>`,
    share: ({ now }: FigureRow) =>
      html`<td class="r">${Math.round((100 * now.clicks) / (total || 1))}%</td>`,
    change: ({ now, before }: FigureRow) =>
      renderChange('td', briefChange(now.clicks, before?.clicks ?? null)),
  };
}

const HALVES_OF_DAY = html`<th rowspan="2" scope="col"><span class="vh">Weekday</span></th>
<th scope="colgroup" colspan="6">am</th><th scope="colgroup" colspan="6">pm</th></tr><tr>`;

/**
 * Renders clicks by weekday and hour. Two hours share a column, so that a cell has room for its
 * number on a phone.
 */
export function renderHours({ heat, busiest, question }: Report, links: Links): SafeHtml {
  // On a busy site, or on one day, each cell would have the darkest tint.
  const largest = Math.max(...heat.flatMap(({ cells }) => cells));
  const scale = Math.max(question.length / 30, largest / 45);
  const rows = heat.map(({ key, name, cells }) => {
    const isCurrent = question.filters.weekday === key;
    const link = links.to({ weekday: key }, name.slice(0, 3), isCurrent ? CURRENT : null);
    const figures = cells.map((n) => {
      const tint = TINTS.filter((least) => n >= least * scale).length;
      return html`<td class="h${tint}">${brief(n, 1000)}</td>`;
    });
    return [html`${link}${isCurrent ? CHECK : null}`, figures] as const;
  });
  const half = [12, 2, 4, 6, 8, 10].map((hour) => renderHeadCell(String(hour), null));
  const caption = `Clicks by weekday and hour, two hours a column, ${placeOf(question.timeZone)}`;
  const grid = renderTable('heat', caption, [HALVES_OF_DAY, ...half, ...half], rows);
  const lead = busiest ? html`<p class="lead">Most clicks ${busiest}.</p>` : null;
  const body = largest > 0 ? html`${lead}${grid}` : NO_CLICKS;
  return renderSection('hr', 'When they press', links.downloads('hour', 'when they press'), body);
}
