/** What the chart shows beside its columns: usual clicks, hours without a visit, named changes. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { printable } from '../../html/safe-text.ts';
import type { ChartMarks } from '../causes/read-opening.ts';
import { whole } from '../figures/numbers.ts';
import type { Column, Report } from '../figures/report.ts';

const HOURS_OF_A_DAY = 24;

const percent = (share: number) => `${(100 * share).toFixed(2)}%`;

/** @returns the highest usual count of these days; 0: none is known */
export const highestExpected = (columns: readonly Column[], { expected }: ChartMarks): number =>
  Math.max(0, ...columns.map(({ key }) => expected.get(key)?.high ?? 0));

/** @returns the team's goal of one day; 0: none, or the columns are no whole days of the site */
export function goalOfDay({ question, site }: Report): number {
  const { length, filters, isShared } = question;
  const isWhole = length > 1 && Object.keys(filters).length === 0 && !isShared;
  return isWhole ? (site.weeklyClicks ?? 0) / 7 : 0;
}

/** Draws the team's goal of one day as a line over the whole width. */
export function drawGoal(report: Report, top: number): SafeHtml | null {
  const goal = goalOfDay(report);
  if (goal === 0) return null;
  const y = percent(1 - goal / top);
  const title = `Goal: ${whole(report.site.weeklyClicks ?? 0)} clicks a week`;
  return html`<line class="goal" x2="100%" y1="${y}" y2="${y}"><title>${title}</title></line>`;
}

/** Draws a band behind the columns, from the lowest to the highest usual count of each day. */
export function drawExpected(
  columns: readonly Column[],
  { expected }: ChartMarks,
  top: number,
): SafeHtml[] {
  const n = columns.length;
  const width = percent(1 / n);
  return columns.flatMap(({ key }, i) => {
    const usual = expected.get(key);
    if (!usual) return [];
    const [y, height] = [percent(1 - usual.high / top), percent((usual.high - usual.low) / top)];
    const x = percent(i / n);
    return html`<rect class="usual" x="${x}" width="${width}" y="${y}" height="${height}"/>`;
  });
}

/** Draws hours without a visit as a band over the whole height. */
export function drawHoles(columns: readonly Column[], { holes }: ChartMarks): SafeHtml[] {
  const n = columns.length;
  return holes.flatMap(({ since, hours }) => {
    const [day = '', hour = '0'] = since.split('T');
    const i = columns.findIndex(({ key }) => key === day);
    if (i < 0) return [];
    const begin = i + Number(hour) / HOURS_OF_A_DAY;
    const end = Math.min(n, begin + hours / HOURS_OF_A_DAY);
    const [x, width] = [percent(begin / n), percent((end - begin) / n)];
    const title = html`<title>No visit for ${hours} hours</title>`;
    return html`<rect class="hole" x="${x}" width="${width}" height="100%">${title}</rect>`;
  });
}

/** Draws a triangle above the first day of each change that an alert has named. */
export function drawNamed(columns: readonly Column[], { named }: ChartMarks): SafeHtml[] {
  const n = columns.length;
  return columns.flatMap(({ key }, i) => {
    const name = named.get(key);
    if (name === undefined) return [];
    const x = percent((i + 0.36) / n);
    const title = html`<title>Named as unusual: ${printable(name)}</title>`;
    return html`<svg class="named" x="${x}" overflow="visible">${title}<path d="M-6 -3H6L0 8z"/></svg>`;
  });
}

const USUAL_SIGN = html`<svg width="12" height="14"><rect class="usual" width="12" height="14"/></svg>`;
const GOAL_SIGN = html`<svg width="22" height="14"><path class="goal" d="M0 7H22"/></svg>`;
const HOLE_SIGN = html`<svg width="12" height="14"><rect class="hole" width="12" height="14"/></svg>`;
const NAMED_SIGN = html`<svg class="named" width="12" height="14"><path d="M0 2H12L6 13z"/></svg>`;

/** Renders the items of the legend for those marks that the chart shows. */
export function renderMarksLegend(report: Report, marks: ChartMarks): (SafeHtml | null)[] {
  const { columns } = report;
  const keys = new Set(columns.map(({ key }) => key));
  const hasUsual = [...marks.expected.keys()].some((day) => keys.has(day));
  const hasHole = marks.holes.some(({ since }) => keys.has(since.slice(0, 10)));
  const hasNamed = [...marks.named.keys()].some((day) => keys.has(day));
  return [
    goalOfDay(report) > 0 ? html`<li>${GOAL_SIGN} Goal of a day</li>` : null,
    hasUsual ? html`<li>${USUAL_SIGN} Usual</li>` : null,
    hasHole ? html`<li>${HOLE_SIGN} No visits for hours</li>` : null,
    hasNamed ? html`<li>${NAMED_SIGN} Unusual from this day on</li>` : null,
  ];
}
