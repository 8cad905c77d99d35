/**
 * Clicks by day, or by hour of one day: columns in SVG, and the same figures as a table. Lengths
 * are percentages, so that labels never shrink.
 */
import { html, type SafeHtml } from '@remix-run/html-template';
import { printable } from '../../html/safe-text.ts';
import type { ChartMarks } from '../causes/read-opening.ts';
import { brief, rate, whole } from '../figures/numbers.ts';
import type { Column, Report } from '../figures/report.ts';
import { dates, type Links } from './addresses.ts';
import { topOf } from './chart-scale.ts';
import { drawExpected, drawGoal, drawHoles, drawNamed, renderMarksLegend } from './render-marks.ts';
import {
  beforeInWords,
  countInWords,
  dayInWords,
  renderHeadCell,
  renderRate,
  renderSection,
  renderTable,
} from './words.ts';

/** Share of its day that a column fills. */
const FILLED_SHARE = 0.72;
const SO_FAR = html` class="now" stroke-dasharray="3 2"`;
const SHORT_DATE = { month: 'short', day: 'numeric' } as const;
const LONG_DATE = { weekday: 'long', month: 'long', day: 'numeric' } as const;

const NO_MARKS: ChartMarks = { expected: new Map(), holes: [], named: new Map() };

/** Renders the chart with its legend and its table. @param marks null: the chart has none */
export function renderChart(
  report: Report,
  links: Links,
  marks: ChartMarks | null = null,
): SafeHtml {
  const unit = unitOf(report);
  const notes = report.notes.map(({ day, note }, i) => {
    const says = html`${links.to(dates(day, day), dayInWords(day))}: ${printable(note)}`;
    return html`<li><b>${i + 1}</b><span>${says}</span></li>`;
  });
  const body = html`<p class="lead">${extremesInWords(report)}</p>
${renderLegend(report, marks ?? NO_MARKS)}
${renderPlot(report, marks ?? NO_MARKS)}
<ol class="nts">${notes}</ol>
<details><summary>The same figures as a table</summary>
${renderDayTable(report, links)}</details>`;
  return renderSection(
    'day',
    `Clicks by ${unit}`,
    links.downloads('day', `clicks by ${unit}`),
    body,
  );
}

const unitOf = ({ question }: Report) => (question.length === 1 ? 'hour' : 'day');

/** @param key `2026-11-05`, or `2026-11-05T14` @returns "Thu, Nov 5", or "2 pm" */
function nameOf(key: string, format = { ...SHORT_DATE, weekday: 'short' } as object): string {
  if (!key.includes('T')) return dayInWords(key, format);
  const hour = Number(key.slice(11));
  return `${hour % 12 || 12}\u00a0${hour < 12 ? 'am' : 'pm'}`;
}

function extremesInWords({ columns }: Report): string {
  // Days before the site began say nothing.
  const began = columns.findIndex(({ now }) => now.visits + now.clicks > 0);
  const ended = columns.slice(began).filter(({ isSoFar, isAhead }) => !isSoFar && !isAhead);
  const [most] = ended.toSorted((a, b) => b.now.clicks - a.now.clicks);
  const [least] = ended.toSorted((a, b) => a.now.clicks - b.now.clicks);
  if (!most || !least || most.now.clicks === least.now.clicks) return '';
  const when = ({ key }: Column) => `${key.includes('T') ? 'at' : 'on'} ${nameOf(key, LONG_DATE)}`;
  const [highest, lowest] = [countInWords(most.now.clicks, 'click'), whole(least.now.clicks)];
  return `Most ${when(most)}, with ${highest}. Fewest ${when(least)}, with ${lowest}.`;
}

const hasLine = ({ before }: Report) => before.clicks > 0;

const COLUMN_SIGN = html`<svg width="10" height="14"><rect width="8" height="14"/></svg>`;
const SO_FAR_SIGN = html`<svg width="11" height="14"><rect x=".5" y=".5" width="9" height="13"${SO_FAR}/></svg>`;
const LINE_SIGN = html`<svg width="22" height="14"><path d="M0 8L7 4L14 10L22 6" class="prev"
 fill="none" stroke-width="1.75"/></svg>`;

function renderLegend(report: Report, marks: ChartMarks): SafeHtml {
  const before = beforeInWords(report.question).replace(/the (.)/, (_, first) =>
    first.toUpperCase(),
  );
  const hasCurrent = report.columns.some(({ isSoFar }) => isSoFar);
  const current = unitOf(report) === 'day' ? 'Today' : 'This hour';
  const items = [
    html`<li>${COLUMN_SIGN} Clicks</li>`,
    hasCurrent ? html`<li>${SO_FAR_SIGN} ${current}, so far</li>` : null,
    hasLine(report) ? html`<li>${LINE_SIGN} ${before}</li>` : null,
    ...renderMarksLegend(report, marks),
  ];
  return html`<ul class="key" aria-hidden="true">${items}</ul>`;
}

const percent = (share: number) => `${(100 * share).toFixed(2)}%`;
const middleOf = (i: number, n: number) => percent((i + FILLED_SHARE / 2) / n);

function renderPlot(report: Report, marks: ChartMarks): SafeHtml {
  const { columns } = report;
  const top = topOf(report, marks);
  const steps = [0, 1, 2, 3, 4].map((i) => ({ y: percent(1 - i / 4), n: (top * i) / 4 }));
  const grid = steps.map(({ y }) => html`<line x2="100%" y1="${y}" y2="${y}"/>`);
  const scale = steps.map(
    ({ y, n }) => html`<text x="100%" y="${y}" dy="-4">${brief(n, 1000)}</text>`,
  );
  return html`<figure class="plot">
<svg class="gr" aria-hidden="true">${grid}</svg>
<svg class="p" width="100%" role="img" aria-label="${describePlot(report)}">
${drawExpected(columns, marks, top)}${drawHoles(columns, marks)}
${drawColumns(report, top)}
${drawPeaks(columns, top)}${hasLine(report) ? drawLine(columns, top) : null}
${drawGoal(report, top)}${drawNamed(columns, marks)}
</svg>
<svg class="yl" text-anchor="end" aria-hidden="true">${scale}</svg>
<svg class="fl" width="100%" height="50" aria-hidden="true">${drawFlags(report)}${drawDateLabels(report)}</svg>
</figure>`;
}

function describePlot(report: Report): string {
  const columns = `Columns: clicks on each of ${report.columns.length} ${unitOf(report)}s`;
  const line = hasLine(report) ? `, with ${beforeInWords(report.question)} as a line` : '';
  return `${columns}${line}. The table below has the same figures.`;
}

/** Least distance between two numbers above columns, as a share of the chart's width. */
const ROOM_FOR_NUMBER = 0.1;

/**
 * Writes the number of the highest column above it. Each column that is cut off has its number, but
 * of neighbours only the highest one, because the numbers would cover each other.
 */
function drawPeaks(columns: readonly Column[], top: number): SafeHtml[] {
  const n = columns.length;
  const falling = columns
    .map(({ now }, i) => ({ i, clicks: now.clicks }))
    .sort((a, b) => b.clicks - a.clicks);
  const shown: typeof falling = [];
  for (const column of falling) {
    const isPeak = column.clicks > top || (column === falling[0] && column.clicks > 0);
    const hasRoom = shown.every(({ i }) => Math.abs(i - column.i) >= ROOM_FOR_NUMBER * n);
    if (isPeak && hasRoom) shown.push(column);
  }
  return shown.map(({ i, clicks }) => {
    const place = html`x="${middleOf(i, n)}" y="${percent(Math.max(0, 1 - clicks / top))}" dy="-6"`;
    const number = `${clicks > top ? '↑\u00a0' : ''}${whole(clicks)}`;
    return html`<text class="pk" text-anchor="middle" font-weight="650" ${place}>${number}</text>`;
  });
}

function drawColumns(report: Report, top: number): SafeHtml[] {
  const n = report.columns.length;
  const [width, filled] = [percent(1 / n), percent(FILLED_SHARE / n)];
  return report.columns.flatMap((column, i) => {
    if (column.isAhead) return [];
    const x = percent(i / n);
    const share = Math.min(1, column.now.clicks / top);
    const place = html`x="${x}" y="${percent(1 - share)}"`;
    const size = html`width="${filled}" height="${percent(share)}"`;
    const drawn = html`<rect${column.isSoFar ? SO_FAR : null} ${place} ${size}/>`;
    const hit = html`<rect class="hit" fill="transparent" x="${x}" width="${width}" height="100%"/>`;
    // The gap shows that the column goes on above the top.
    const gap = html`<rect class="gap" x="${x}" y="12" width="${filled}" height="4"/>`;
    const shapes = html`${hit}${drawn}${column.now.clicks > top ? gap : null}`;
    return html`<g><title>${describeColumn(report, column)}</title>${shapes}</g>
`;
  });
}

function describeColumn(report: Report, { key, keyBefore, now, before }: Column): string {
  const title = `${nameOf(key)}: ${countInWords(now.clicks, 'click')}, ${countInWords(now.visits, 'visit')}`;
  if (!hasLine(report)) return title;
  const sameHour = report.question.shift === 1 ? 'The day before' : 'A week before';
  const dayBefore = key.includes('T') ? sameHour : nameOf(keyBefore);
  return `${title}. ${dayBefore}: ${countInWords(before.clicks, 'click')}`;
}

/**
 * Draws the clicks of the period before as a line. A wider line below it, in the paper's colour,
 * keeps it visible over columns.
 */
function drawLine(columns: readonly Column[], top: number): SafeHtml {
  const begun = columns.filter(({ isAhead }) => !isAhead);
  const points = begun
    .map(({ before }, i) => `${i + FILLED_SHARE / 2},${Math.max(0, top - before.clicks)}`)
    .join(' ');
  const line = html`vector-effect="non-scaling-stroke" points="${points}"`;
  const box = html`width="100%" height="100%" viewBox="0 0 ${columns.length} ${top}"`;
  const style = html`preserveAspectRatio="none" fill="none" stroke-linejoin="round"`;
  const halo = html`<polyline class="halo" stroke-width="4" ${line}/>`;
  const drawn = html`<polyline class="prev" stroke-width="1.75" ${line}/>`;
  return html`<svg ${box} ${style}>${halo}${drawn}</svg>${drawCutOff(begun, columns.length, top)}`;
}

/** Says how high the line would be where it leaves the top, on the side that has more room. */
function drawCutOff(begun: readonly Column[], n: number, top: number): SafeHtml | null {
  const highest = Math.max(...begun.map(({ before }) => before.clicks));
  if (highest <= top) return null;
  const i = begun.findIndex(({ before }) => before.clicks === highest);
  const [anchor, dx] = i < 0.7 * n ? ['start', 8] : ['end', -8];
  const place = html`text-anchor="${anchor}" x="${middleOf(i, n)}" dx="${dx}" dy="14"`;
  return html`<text class="cut" ${place}>↑\u00a0${whole(highest)} before</text>`;
}

/** Draws a flag with its number for each note. Notes of near columns share a flag: "2, 3". */
function drawFlags({ columns, notes }: Report): SafeHtml[] {
  const n = columns.length;
  const groups: { at: number; says: number[] }[] = [];
  notes.forEach(({ day }, i) => {
    const at = columns.findIndex(({ key }) => key.startsWith(day));
    const last = groups.at(-1);
    // A flag with two numbers is twice as wide.
    const room = Math.max(2, n / 15) * Math.min(2, last?.says.length ?? 0);
    if (last && at - last.at < room) last.says.push(i + 1);
    else if (at >= 0) groups.push({ at, says: [i + 1] });
  });
  return groups.map(({ at, says }) => {
    const label = says.length > 2 ? `${says[0]}–${says.at(-1)}` : says.join(', ');
    const end = 11 + 6 * label.length;
    const outline = `M0 0V25M0 6H${end}L${end - 4} 13.5L${end} 21H0`;
    const flag = html`<path stroke-linejoin="round" stroke-width="1.25" d="${outline}"/>`;
    const words = html`<text x="3.5" y="18.5" font-weight="650">${label}</text>`;
    return html`<svg x="${middleOf(at, n)}" overflow="visible">${flag}${words}</svg>`;
  });
}

/** Draws about five dates below the chart, whole weeks apart if the period has several. */
function drawDateLabels({ columns, question }: Report): SafeHtml[] {
  const n = columns.length;
  const fifth = Math.ceil(n / 5);
  const step = fifth <= 3 ? fifth : question.length === 1 ? 6 : 7 * Math.ceil(fifth / 7);
  const labels = columns.map(
    ({ key }, i) => html`<text x="${percent(i / n)}" y="44">${nameOf(key, SHORT_DATE)}</text>`,
  );
  return labels.filter((_, i) => i % step === 0);
}

function renderDayTable(report: Report, links: Links): SafeHtml {
  const { columns, notes, question } = report;
  const begun = columns.filter(({ isAhead }) => !isAhead);
  const heads = ['Visits', 'Clicks', 'per 100', ...(hasLine(report) ? ['Before'] : [])];
  const rows = begun.map(({ key, now, before, isSoFar }) => {
    const name = key.includes('T') ? nameOf(key) : links.to(dates(key, key), nameOf(key));
    const said = notes.filter(({ day }) => day === key).map(({ note }) => printable(note));
    const words = [...said, ...(isSoFar ? ['so far'] : [])].join(', ');
    const beside = words ? html` <span class="cd">${words}</span>` : null;
    const figures = [
      whole(now.visits),
      whole(now.clicks),
      renderRate(rate(now)),
      whole(before.clicks),
    ];
    const cells = figures.slice(0, heads.length).map((figure) => html`<td>${figure}</td>`);
    return [html`${name}${beside}`, cells] as const;
  });
  const unit = unitOf(report);
  const clicksBefore = hasLine(report) ? `, with the clicks of ${beforeInWords(question)}` : '';
  const caption = `Visits and clicks by ${unit}${clicksBefore}`;
  const first = renderHeadCell(unit === 'day' ? 'Day' : 'Hour', null);
  return renderTable('days', caption, [first, ...heads.map((head) => renderHeadCell(head))], rows);
}
