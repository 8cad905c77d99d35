/** Draws a table's figures as SVG with Observable Plot, on a document of linkedom. */
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Table } from '../report.ts';
import { startOf } from '../weeks.ts';

/** Colours of the site, which follow the reader's scheme. Neighbours differ in lightness, for printing in grey. */
const SERIES = ['var(--pine)', 'var(--marigold)', 'var(--plum)', 'var(--clay)', 'var(--mist)'];

/** Drawn twice: phones get a narrow drawing with letters of the same size. */
export const WIDTHS = { wide: 560, narrow: 288 } as const;
export type Size = keyof typeof WIDTHS;

const ROW_PX = 30;
const LONGEST_LABEL = { wide: 28, narrow: 15 };

interface Bar {
  label: string;
  isRest: boolean;
  value: number;
  series: string;
}

/** @returns the SVG's text; null: there is nothing to draw */
export function drawChart(table: Table, size: Size): string | null {
  const bars = barsOf(table);
  if (bars.every(({ value }) => value === 0)) return null;
  if (table.id === 'day') return draw(dayChart(bars, size), size);
  if (table.id === 'week' || table.id === 'hour') return draw(columnChart(bars, size), size);
  return draw(rowChart(bars, size), size);
}

/** Calls to action are the series of a chart over time. All other charts show the first column. */
export function seriesOf({ id, columns }: Table): string[] {
  const events = columns
    .filter(({ options }) => options?.[0]?.startsWith('--event'))
    .map(({ title }) => title);
  return (id === 'day' || id === 'week') && events.length > 1 ? events : [];
}

export const colourOf = (i: number): string => SERIES[i % SERIES.length] as string;

function barsOf(table: Table): Bar[] {
  const names = seriesOf(table);
  const series = names.length > 0 ? names : [table.columns[0]?.title ?? ''];
  return table.rows
    .filter(({ kind }) => kind !== 'total')
    .flatMap((row) =>
      series.map((name) => {
        const i = table.columns.findIndex(({ title }) => title === name);
        return {
          label: row.label,
          isRest: row.kind === 'rest',
          value: row.cells[i] ?? 0,
          series: name,
        };
      }),
    );
}

const fillOf = (bars: Bar[]) => {
  const names = [...new Set(bars.map(({ series }) => series))];
  return ({ series }: Bar) => colourOf(names.indexOf(series));
};
/** Colours are used as they are. */
const COLOUR = { type: 'identity' } as const;
const grid = { stroke: 'var(--grid)', strokeOpacity: 1 };
const numbers = new Intl.NumberFormat('en-US');
const whole = (n: number) => (Number.isInteger(n) ? numbers.format(n) : '');

/** Days up to which bars have gaps between them. */
const MOST_GAPS = 90;

function dayChart(bars: Bar[], size: Size): Plot.PlotOptions {
  const days = bars.map((bar) => ({ ...bar, day: new Date(startOf(bar.label)) }));
  return {
    height: size === 'wide' ? 260 : 200,
    marginLeft: 48,
    x: { type: 'utc', label: null, ticks: size === 'wide' ? 8 : 3 },
    y: { label: null, ticks: 4, tickFormat: whole },
    color: COLOUR,
    marks: [
      Plot.gridY({ ...grid, ticks: 4 }),
      Plot.rectY(days, {
        x: 'day',
        y: 'value',
        interval: 'day',
        fill: fillOf(bars),
        // A gap wider than its bar would hide the bars of a long period.
        inset: new Set(bars.map(({ label }) => label)).size > MOST_GAPS ? 0 : 1,
      }),
      Plot.ruleY([0], { stroke: 'var(--ink-2)' }),
    ],
  };
}

function columnChart(bars: Bar[], size: Size): Plot.PlotOptions {
  const labels = [...new Set(bars.map(({ label }) => label))];
  const every = Math.ceil(labels.length / (size === 'wide' ? 12 : 5));
  const ticks = labels.filter((_, i) => i % every === 0);
  return {
    height: size === 'wide' ? 220 : 180,
    marginLeft: 48,
    x: {
      type: 'band',
      label: null,
      domain: labels,
      ticks,
      tickFormat: shortLabel,
      tickSize: 0,
      padding: 0.15,
    },
    y: { label: null, ticks: 4, tickFormat: whole },
    color: COLOUR,
    marks: [
      Plot.gridY({ ...grid, ticks: 4 }),
      Plot.barY(bars, { x: 'label', y: 'value', fill: fillOf(bars) }),
      Plot.ruleY([0], { stroke: 'var(--ink-2)' }),
    ],
  };
}

/** The year is in the table; `13:00` is clear as `13`. */
const shortLabel = (label: string) => label.replace(/^\d{4}-(?=W)/, '').replace(/:00$/, '');

function rowChart(bars: Bar[], size: Size): Plot.PlotOptions {
  const most = LONGEST_LABEL[size];
  const longest = Math.max(...bars.map(({ label }) => Math.min(label.length, most)));
  // Two values may have one label, without the characters that do not print.
  const places = bars.map((bar, place) => ({ ...bar, place }));
  return {
    height: bars.length * ROW_PX + 8,
    marginLeft: 12 + longest * 7.6,
    marginRight: 64,
    marginTop: 4,
    marginBottom: 4,
    x: { axis: null },
    y: {
      type: 'band',
      label: null,
      domain: places.map(({ place }) => place),
      tickFormat: (place: number) => shorten(bars[place]?.label ?? '', most),
      tickSize: 0,
      padding: 0.25,
    },
    color: COLOUR,
    marks: [
      Plot.barX(places, {
        x: 'value',
        y: 'place',
        // Many values in one bar, not to be compared with the bars of one value.
        fill: ({ isRest }: Bar) => (isRest ? 'var(--mist)' : colourOf(0)),
      }),
      Plot.text(places, {
        x: 'value',
        y: 'place',
        text: ({ value }: Bar) => numbers.format(value),
        textAnchor: 'start',
        dx: 6,
      }),
    ],
  };
}

const shorten = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

function draw(options: Plot.PlotOptions, size: Size): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const svg = Plot.plot({
    ...options,
    width: WIDTHS[size],
    document: document as unknown as Document,
  });
  // The table next to the drawing has the same figures.
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', size);
  for (const style of svg.querySelectorAll('style')) style.remove();
  // A tenth of a pixel is enough.
  return svg.outerHTML.replace(/(\d\.\d)\d+/g, '$1');
}
