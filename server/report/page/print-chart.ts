/**
 * Clicks by day, or by hour of one day: columns in SVG, and the same figures as a table. Lengths
 * are percentages, so that labels never shrink.
 */
import { text } from '../../html/html-page.ts';
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
} from './print-marks.ts';
import { beforeInWords, count, dayInWords, headCell, section, spoken, table } from './words.ts';

/** Share of its day that a column fills. */
const FILLED = 0.72;
const NOW = ' class="now" stroke-dasharray="3 2"';
const SHORT = { month: 'short', day: 'numeric' } as const;
const LONG = { weekday: 'long', month: 'long', day: 'numeric' } as const;

const NO_MARKS: ChartMarks = { expected: new Map(), holes: [], named: new Map() };

/** @param marks null: the page has none */
export function chart(report: Report, links: Links, marks: ChartMarks | null = null): string {
  const unit = unitOf(report);
  const notes = report.notes.map(
    ({ day, note }, i) =>
      `<li><b>${i + 1}</b><span>${links.to(dates(day, day), dayInWords(day))}: ${text(note)}</span></li>`,
  );
  const body = `<p class="lead">${extremes(report)}</p>
${legend(report, marks ?? NO_MARKS)}
${plot(report, marks ?? NO_MARKS)}
<ol class="nts">${notes.join('')}</ol>
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

function legend(report: Report, marks: ChartMarks): string {
  const before = beforeInWords(report.question).replace(/the (.)/, (_, first) =>
    first.toUpperCase(),
  );
  const current = unitOf(report) === 'day' ? 'Today' : 'This hour';
  const now = `<li><svg width="11" height="14"><rect x=".5" y=".5" width="9" height="13"${NOW}/></svg> ${current}, so far</li>`;
  const line = `<li><svg width="22" height="14"><path d="M0 8L7 4L14 10L22 6" class="prev" fill="none" stroke-width="1.75"/></svg> ${before}</li>`;
  return `<ul class="key" aria-hidden="true"><li><svg width="10" height="14"><rect width="8" height="14"/></svg> Clicks</li>${report.columns.some(({ isSoFar }) => isSoFar) ? now : ''}${hasLine(report) ? line : ''}${legendOfMarks(report, marks)}</ul>`;
}

const percent = (share: number) => `${(100 * share).toFixed(2)}%`;
const middleOf = (i: number, n: number) => percent((i + FILLED / 2) / n);

/**
 * The line of the period before may leave the top, because a spike in it would flatten the columns.
 */
const MOST_ABOVE = 1.25;

function topOf(report: Report, marks: ChartMarks): number {
  const { columns } = report;
  const own = Math.max(
    ...columns.map(({ now }) => now.clicks),
    highestExpected(columns, marks),
    goalOfDay(report),
  );
  const before = Math.max(...columns.map((column) => column.before.clicks));
  return scaleTop(own === 0 ? before : Math.max(own, Math.min(before, MOST_ABOVE * own)));
}

function plot(report: Report, marks: ChartMarks): string {
  const { columns, question } = report;
  const clicks = columns.map(({ now }) => now.clicks);
  const most = Math.max(...clicks);
  const top = topOf(report, marks);
  const steps = [0, 1, 2, 3, 4].map((i) => ({ y: percent(1 - i / 4), n: (top * i) / 4 }));
  const grid = steps.map(({ y }) => `<line x2="100%" y1="${y}" y2="${y}"/>`);
  const scale = steps.map(({ y, n }) => `<text x="100%" y="${y}" dy="-4">${brief(n, 1000)}</text>`);
  const peak = `<text class="pk" text-anchor="middle" font-weight="650" x="${middleOf(clicks.indexOf(most), clicks.length)}" y="${percent(1 - most / top)}" dy="-6">${whole(most)}</text>`;
  const label = `Columns: clicks on each of ${columns.length} ${unitOf(report)}s${hasLine(report) ? `, with ${beforeInWords(question)} as a line` : ''}. The table below has the same figures.`;
  return `<figure class="plot">
<svg class="gr" aria-hidden="true">${grid.join('')}</svg>
<svg class="p" width="100%" role="img" aria-label="${label}">
${drawExpected(columns, marks, top)}${drawHoles(columns, marks)}
${drawColumns(report, top)}
${most > 0 ? peak : ''}${hasLine(report) ? drawLine(columns, top) : ''}${drawGoal(report, top)}${drawNamed(columns, marks)}
</svg>
<svg class="yl" text-anchor="end" aria-hidden="true">${scale.join('')}</svg>
<svg class="fl" width="100%" height="50" aria-hidden="true">${flags(report)}${dateLabels(report)}</svg>
</figure>`;
}

/** @returns the end of the scale, which has four round steps */
function scaleTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 4) / 4));
  const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 10].map((step) => step * power);
  return 4 * (steps.find((step) => Number.isInteger(step) && 4 * step >= most) ?? most);
}

function drawColumns(report: Report, top: number): string {
  const n = report.columns.length;
  const drawn = report.columns.map(({ key, keyBefore, now, before, isSoFar, isAhead }, i) => {
    if (isAhead) return '';
    const [x, height] = [percent(i / n), now.clicks / top];
    const sameHour = report.question.shift === 1 ? 'The day before' : 'A week before';
    const dayBefore = key.includes('T') ? sameHour : nameOf(keyBefore);
    const earlier = `. ${dayBefore}: ${count(before.clicks, 'click')}`;
    const title = `${nameOf(key)}: ${count(now.clicks, 'click')}, ${count(now.visits, 'visit')}`;
    return `<g><title>${title}${hasLine(report) ? earlier : ''}</title><rect class="hit" fill="transparent" x="${x}" width="${percent(1 / n)}" height="100%"/><rect${isSoFar ? NOW : ''} x="${x}" y="${percent(1 - height)}" width="${percent(FILLED / n)}" height="${percent(height)}"/></g>`;
  });
  return drawn.join('\n');
}

/** A wider line below, in the paper's colour, keeps it clear over a column. */
function drawLine(columns: readonly Column[], top: number): string {
  const begun = columns.filter(({ isAhead }) => !isAhead);
  const points = begun
    .map(({ before }, i) => `${i + FILLED / 2},${Math.max(0, top - before.clicks)}`)
    .join(' ');
  const line = `vector-effect="non-scaling-stroke" points="${points}"`;
  return `<svg width="100%" height="100%" viewBox="0 0 ${columns.length} ${top}" preserveAspectRatio="none" fill="none" stroke-linejoin="round"><polyline class="halo" stroke-width="4" ${line}/><polyline class="prev" stroke-width="1.75" ${line}/></svg>${cutOff(begun, columns.length, top)}`;
}

/** Says how high the line would be where it leaves the top for the highest point. */
function cutOff(begun: readonly Column[], n: number, top: number): string {
  const highest = Math.max(...begun.map(({ before }) => before.clicks));
  if (highest <= top) return '';
  const i = begun.findIndex(({ before }) => before.clicks === highest);
  return `<text class="cut" x="${middleOf(i, n)}" dx="8" dy="14">↑\u00a0${whole(highest)} before</text>`;
}

/** Notes of neighbouring columns share a flag: "2, 3". */
function flags({ columns, notes }: Report): string {
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
  const drawn = groups.map(({ at, says }) => {
    const label = says.length > 2 ? `${says[0]}–${says.at(-1)}` : says.join(', ');
    const end = 11 + 6 * label.length;
    return `<svg x="${middleOf(at, n)}" overflow="visible"><path stroke-linejoin="round" stroke-width="1.25" d="M0 0V25M0 6H${end}L${end - 4} 13.5L${end} 21H0"/><text x="3.5" y="18.5" font-weight="650">${label}</text></svg>`;
  });
  return drawn.join('');
}

/** About five, whole weeks apart if the period has several. */
function dateLabels({ columns, question }: Report): string {
  const n = columns.length;
  const fifth = Math.ceil(n / 5);
  const step = fifth <= 3 ? fifth : question.length === 1 ? 6 : 7 * Math.ceil(fifth / 7);
  const labels = columns.map(
    ({ key }, i) => `<text x="${percent(i / n)}" y="44">${nameOf(key, SHORT)}</text>`,
  );
  return labels.filter((_, i) => i % step === 0).join('');
}

function dayTable(report: Report, links: Links): string {
  const { columns, notes, question } = report;
  const begun = columns.filter(({ isAhead }) => !isAhead);
  const heads = ['Visits', 'Clicks', 'per 100', ...(hasLine(report) ? ['Before'] : [])];
  const rows = begun.map(({ key, now, before, isSoFar }) => {
    const name = key.includes('T') ? nameOf(key) : links.to(dates(key, key), nameOf(key));
    const said = notes.filter(({ day }) => day === key).map(({ note }) => text(note));
    const beside = [...said, ...(isSoFar ? ['so far'] : [])].join(', ');
    const figures = [whole(now.visits), whole(now.clicks), spoken(rate(now)), whole(before.clicks)];
    const cells = figures.slice(0, heads.length).map((figure) => `<td>${figure}</td>`);
    return [`${name}${beside && ` <span class="cd">${beside}</span>`}`, cells] as const;
  });
  const unit = unitOf(report);
  const clicksBefore = hasLine(report) ? `, with the clicks of ${beforeInWords(question)}` : '';
  const caption = `Visits and clicks by ${unit}${clicksBefore}`;
  const first = headCell(unit === 'day' ? 'Day' : 'Hour', '');
  return table('days', caption, first + heads.map((head) => headCell(head)).join(''), rows);
}
