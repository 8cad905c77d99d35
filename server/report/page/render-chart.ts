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
import {
  drawExpected,
  drawGoal,
  drawHoles,
  drawNamed,
  goalOfDay,
  highestExpected,
  legendOfMarks,
} from './render-marks.ts';
import { beforeInWords, count, dayInWords, headCell, section, spoken, table } from './words.ts';

/** Share of its day that a column fills. */
const FILLED = 0.72;
const NOW = html` class="now" stroke-dasharray="3 2"`;
const SHORT = { month: 'short', day: 'numeric' } as const;
const LONG = { weekday: 'long', month: 'long', day: 'numeric' } as const;

const NO_MARKS: ChartMarks = { expected: new Map(), holes: [], named: new Map() };

/** @param marks null: the page has none */
export function chart(report: Report, links: Links, marks: ChartMarks | null = null): SafeHtml {
  const unit = unitOf(report);
  const notes = report.notes.map(({ day, note }, i) => {
    const says = html`${links.to(dates(day, day), dayInWords(day))}: ${printable(note)}`;
    return html`<li><b>${i + 1}</b><span>${says}</span></li>`;
  });
  const body = html`<p class="lead">${extremes(report)}</p>
${legend(report, marks ?? NO_MARKS)}
${plot(report, marks ?? NO_MARKS)}
<ol class="nts">${notes}</ol>
<details><summary>The same figures as a table</summary>
${dayTable(report, links)}</details>`;
  return section('day', `Clicks by ${unit}`, links.downloads('day', `clicks by ${unit}`), body);
}

const unitOf = ({ question }: Report) => (question.length === 1 ? 'hour' : 'day');

/** @param key `2026-11-05`, or `2026-11-05T14` @returns "Thu, Nov 5", or "2 pm" */
function nameOf(key: string, format = { ...SHORT, weekday: 'short' } as object): string {
  if (!key.includes('T')) return dayInWords(key, format);
  const hour = Number(key.slice(11));
  return `${hour % 12 || 12}\u00a0${hour < 12 ? 'am' : 'pm'}`;
}

function extremes({ columns }: Report): string {
  // Days before the site began say nothing.
  const began = columns.findIndex(({ now }) => now.visits + now.clicks > 0);
  const ended = columns.slice(began).filter(({ isSoFar, isAhead }) => !isSoFar && !isAhead);
  const [most] = ended.toSorted((a, b) => b.now.clicks - a.now.clicks);
  const [least] = ended.toSorted((a, b) => a.now.clicks - b.now.clicks);
  if (!most || !least || most.now.clicks === least.now.clicks) return '';
  const when = ({ key }: Column) => `${key.includes('T') ? 'at' : 'on'} ${nameOf(key, LONG)}`;
  return `Most ${when(most)}, with ${count(most.now.clicks, 'click')}. Fewest ${when(least)}, with ${whole(least.now.clicks)}.`;
}

const hasLine = ({ before }: Report) => before.clicks > 0;

const COLUMN_SIGN = html`<svg width="10" height="14"><rect width="8" height="14"/></svg>`;
const NOW_SIGN = html`<svg width="11" height="14"><rect x=".5" y=".5" width="9" height="13"${NOW}/></svg>`;
const LINE_SIGN = html`<svg width="22" height="14"><path d="M0 8L7 4L14 10L22 6" class="prev"
 fill="none" stroke-width="1.75"/></svg>`;

function legend(report: Report, marks: ChartMarks): SafeHtml {
  const before = beforeInWords(report.question).replace(/the (.)/, (_, first) =>
    first.toUpperCase(),
  );
  const hasCurrent = report.columns.some(({ isSoFar }) => isSoFar);
  const current = unitOf(report) === 'day' ? 'Today' : 'This hour';
  const items = [
    html`<li>${COLUMN_SIGN} Clicks</li>`,
    hasCurrent ? html`<li>${NOW_SIGN} ${current}, so far</li>` : null,
    hasLine(report) ? html`<li>${LINE_SIGN} ${before}</li>` : null,
    ...legendOfMarks(report, marks),
  ];
  return html`<ul class="key" aria-hidden="true">${items}</ul>`;
}

const percent = (share: number) => `${(100 * share).toFixed(2)}%`;
const middleOf = (i: number, n: number) => percent((i + FILLED / 2) / n);

/**
 * The line of the period before may leave the top, because a spike in it would flatten the columns.
 */
const MOST_ABOVE = 1.25;
/** A column may leave it too, if it is so many times as high as nine of ten others. */
const SPIKE = 3;
/** Any scale shows so few clicks. */
const LEAST_SPIKE = 20;

/** Returns the clicks of the highest column that the scale must show, without a spike. */
function highestShown(clicks: readonly number[]): number {
  const ordered = clicks.toSorted((a, b) => b - a);
  const [most = 0] = ordered;
  const highOfMost = ordered[Math.ceil(ordered.length / 10)] ?? 0;
  const isShown = most <= LEAST_SPIKE || highOfMost === 0;
  return isShown ? most : Math.min(most, Math.max(SPIKE * highOfMost, LEAST_SPIKE));
}

function topOf(report: Report, marks: ChartMarks): number {
  const { columns } = report;
  const own = Math.max(
    highestShown(columns.map(({ now }) => now.clicks)),
    highestExpected(columns, marks),
    goalOfDay(report),
  );
  const before = Math.max(...columns.map((column) => column.before.clicks));
  return scaleTop(own === 0 ? before : Math.max(own, Math.min(before, MOST_ABOVE * own)));
}

function plot(report: Report, marks: ChartMarks): SafeHtml {
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
<svg class="fl" width="100%" height="50" aria-hidden="true">${flags(report)}${dateLabels(report)}</svg>
</figure>`;
}

function describePlot(report: Report): string {
  const columns = `Columns: clicks on each of ${report.columns.length} ${unitOf(report)}s`;
  const line = hasLine(report) ? `, with ${beforeInWords(report.question)} as a line` : '';
  return `${columns}${line}. The table below has the same figures.`;
}

/** Numbers of columns that are cut off stand at least this share of the chart apart. */
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

/** @returns the end of the scale, which has four round steps */
function scaleTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 4) / 4));
  const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 10].map((step) => step * power);
  return 4 * (steps.find((step) => Number.isInteger(step) && 4 * step >= most) ?? most);
}

function drawColumns(report: Report, top: number): SafeHtml[] {
  const n = report.columns.length;
  const [width, filled] = [percent(1 / n), percent(FILLED / n)];
  return report.columns.flatMap((column, i) => {
    if (column.isAhead) return [];
    const x = percent(i / n);
    const share = Math.min(1, column.now.clicks / top);
    const place = html`x="${x}" y="${percent(1 - share)}"`;
    const size = html`width="${filled}" height="${percent(share)}"`;
    const drawn = html`<rect${column.isSoFar ? NOW : null} ${place} ${size}/>`;
    const hit = html`<rect class="hit" fill="transparent" x="${x}" width="${width}" height="100%"/>`;
    // The gap shows that the column goes on above the top.
    const gap = html`<rect class="gap" x="${x}" y="12" width="${filled}" height="4"/>`;
    const shapes = html`${hit}${drawn}${column.now.clicks > top ? gap : null}`;
    return html`<g><title>${describeColumn(report, column)}</title>${shapes}</g>
`;
  });
}

function describeColumn(report: Report, { key, keyBefore, now, before }: Column): string {
  const title = `${nameOf(key)}: ${count(now.clicks, 'click')}, ${count(now.visits, 'visit')}`;
  if (!hasLine(report)) return title;
  const sameHour = report.question.shift === 1 ? 'The day before' : 'A week before';
  const dayBefore = key.includes('T') ? sameHour : nameOf(keyBefore);
  return `${title}. ${dayBefore}: ${count(before.clicks, 'click')}`;
}

/** A wider line below, in the paper's colour, keeps it clear over a column. */
function drawLine(columns: readonly Column[], top: number): SafeHtml {
  const begun = columns.filter(({ isAhead }) => !isAhead);
  const points = begun
    .map(({ before }, i) => `${i + FILLED / 2},${Math.max(0, top - before.clicks)}`)
    .join(' ');
  const line = html`vector-effect="non-scaling-stroke" points="${points}"`;
  const box = html`width="100%" height="100%" viewBox="0 0 ${columns.length} ${top}"`;
  const style = html`preserveAspectRatio="none" fill="none" stroke-linejoin="round"`;
  const halo = html`<polyline class="halo" stroke-width="4" ${line}/>`;
  const drawn = html`<polyline class="prev" stroke-width="1.75" ${line}/>`;
  return html`<svg ${box} ${style}>${halo}${drawn}</svg>${cutOff(begun, columns.length, top)}`;
}

/** Says how high the line would be where it leaves the top, on the side that has more room. */
function cutOff(begun: readonly Column[], n: number, top: number): SafeHtml | null {
  const highest = Math.max(...begun.map(({ before }) => before.clicks));
  if (highest <= top) return null;
  const i = begun.findIndex(({ before }) => before.clicks === highest);
  const [anchor, dx] = i < 0.7 * n ? ['start', 8] : ['end', -8];
  const place = html`text-anchor="${anchor}" x="${middleOf(i, n)}" dx="${dx}" dy="14"`;
  return html`<text class="cut" ${place}>↑\u00a0${whole(highest)} before</text>`;
}

/** Notes of neighbouring columns share a flag: "2, 3". */
function flags({ columns, notes }: Report): SafeHtml[] {
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

/** About five, whole weeks apart if the period has several. */
function dateLabels({ columns, question }: Report): SafeHtml[] {
  const n = columns.length;
  const fifth = Math.ceil(n / 5);
  const step = fifth <= 3 ? fifth : question.length === 1 ? 6 : 7 * Math.ceil(fifth / 7);
  const labels = columns.map(
    ({ key }, i) => html`<text x="${percent(i / n)}" y="44">${nameOf(key, SHORT)}</text>`,
  );
  return labels.filter((_, i) => i % step === 0);
}

function dayTable(report: Report, links: Links): SafeHtml {
  const { columns, notes, question } = report;
  const begun = columns.filter(({ isAhead }) => !isAhead);
  const heads = ['Visits', 'Clicks', 'per 100', ...(hasLine(report) ? ['Before'] : [])];
  const rows = begun.map(({ key, now, before, isSoFar }) => {
    const name = key.includes('T') ? nameOf(key) : links.to(dates(key, key), nameOf(key));
    const said = notes.filter(({ day }) => day === key).map(({ note }) => printable(note));
    const words = [...said, ...(isSoFar ? ['so far'] : [])].join(', ');
    const beside = words ? html` <span class="cd">${words}</span>` : null;
    const figures = [whole(now.visits), whole(now.clicks), spoken(rate(now)), whole(before.clicks)];
    const cells = figures.slice(0, heads.length).map((figure) => html`<td>${figure}</td>`);
    return [html`${name}${beside}`, cells] as const;
  });
  const unit = unitOf(report);
  const clicksBefore = hasLine(report) ? `, with the clicks of ${beforeInWords(question)}` : '';
  const caption = `Visits and clicks by ${unit}${clicksBefore}`;
  const first = headCell(unit === 'day' ? 'Day' : 'Hour', null);
  return table('days', caption, [first, ...heads.map((head) => headCell(head))], rows);
}
