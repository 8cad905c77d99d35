/** What the chart shows beside its columns: usual clicks, hours without a visit, named changes. */
import { text } from '../../html/html-page.ts';
import type { ChartMarks } from '../causes/read-opening.ts';
import type { Column } from '../figures/report.ts';

const HOURS_OF_A_DAY = 24;

const percent = (share: number) => `${(100 * share).toFixed(2)}%`;

/** @returns the highest usual count of these days; 0: none is known */
export const highestExpected = (columns: readonly Column[], { expected }: ChartMarks): number =>
  Math.max(0, ...columns.map(({ key }) => expected.get(key)?.high ?? 0));

/** Behind the columns: from the lowest to the highest usual count of each day. */
export function drawExpected(
  columns: readonly Column[],
  { expected }: ChartMarks,
  top: number,
): string {
  const n = columns.length;
  const drawn = columns.map(({ key }, i) => {
    const usual = expected.get(key);
    if (!usual) return '';
    const [y, height] = [percent(1 - usual.high / top), percent((usual.high - usual.low) / top)];
    return `<rect class="usual" x="${percent(i / n)}" width="${percent(1 / n)}" y="${y}" height="${height}"/>`;
  });
  return drawn.join('');
}

/** Hours without a visit, over the whole height. */
export function drawHoles(columns: readonly Column[], { holes }: ChartMarks): string {
  const n = columns.length;
  const drawn = holes.flatMap(({ since, hours }) => {
    const [day = '', hour = '0'] = since.split('T');
    const i = columns.findIndex(({ key }) => key === day);
    if (i < 0) return [];
    const begin = i + Number(hour) / HOURS_OF_A_DAY;
    const end = Math.min(n, begin + hours / HOURS_OF_A_DAY);
    return `<rect class="hole" x="${percent(begin / n)}" width="${percent((end - begin) / n)}" height="100%"><title>No visit for ${hours} hours</title></rect>`;
  });
  return drawn.join('');
}

/** At the top of the first day of each change that an alert has named. */
export function drawNamed(columns: readonly Column[], { named }: ChartMarks): string {
  const n = columns.length;
  const drawn = columns.map(({ key }, i) => {
    const name = named.get(key);
    if (name === undefined) return '';
    return `<svg class="named" x="${percent((i + 0.36) / n)}" overflow="visible"><title>Named as unusual: ${text(name)}</title><path d="M-6 -3H6L0 8z"/></svg>`;
  });
  return drawn.join('');
}

/** Lines of the legend, for the marks that are there. */
export function legendOfMarks(columns: readonly Column[], marks: ChartMarks): string {
  const keys = new Set(columns.map(({ key }) => key));
  const hasUsual = [...marks.expected.keys()].some((day) => keys.has(day));
  const hasHole = marks.holes.some(({ since }) => keys.has(since.slice(0, 10)));
  const hasNamed = [...marks.named.keys()].some((day) => keys.has(day));
  const usual = '<svg width="12" height="14"><rect class="usual" width="12" height="14"/></svg>';
  const hole = '<svg width="12" height="14"><rect class="hole" width="12" height="14"/></svg>';
  const named = '<svg class="named" width="12" height="14"><path d="M0 2H12L6 13z"/></svg>';
  return [
    hasUsual ? `<li>${usual} Usual</li>` : '',
    hasHole ? `<li>${hole} No visits for hours</li>` : '',
    hasNamed ? `<li>${named} An alert was about this day</li>` : '',
  ].join('');
}
