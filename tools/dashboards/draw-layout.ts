/** Draws a dashboard's tiles in their places, each with its question. It shows no figures, because it is not a screenshot. */
import type { Dashboard, Insight, Place } from '#dashboards/dashboard.ts';
import { box, COLOURS, svg, textLines, wrap } from './svg.ts';

const COLUMN = 88;
const ROW = 21;
const GAP = 5;
/** Widths of letters at 15 and 13 pixels, on average. */
const LETTERS_PER_COLUMN = 12.4;

/** @returns an SVG file */
export function drawLayout({ name, insights }: Dashboard): string {
  const tiles = insights.map((insight) => {
    const width = Math.floor(insight.place.w * LETTERS_PER_COLUMN);
    return drawTile(insight.place, insight.name, kindOf(insight), wrap(insight.description, width));
  });
  const rows = Math.max(...insights.map(({ place }) => place.y + place.h));
  const title = `The dashboard ${name}: the name and the question of each tile`;
  return svg(12 * COLUMN + GAP, rows * ROW + GAP, title, tiles);
}

function drawTile({ x, y, w, h }: Place, name: string, kind: string, lines: string[]): string {
  const left = x * COLUMN + GAP;
  const top = y * ROW + GAP;
  const width = w * COLUMN - GAP;
  return [
    box(left, top, width, h * ROW - GAP, `fill="${COLOURS.card}" stroke="${COLOURS.line}"`),
    textLines(
      left + 14,
      top + 26,
      [name],
      `font-size="15" font-weight="700" fill="${COLOURS.ink}"`,
    ),
    textLines(left + 14, top + 50, lines, `font-size="13" fill="${COLOURS.quiet}"`),
    textLines(
      left + width - 12,
      top + 24,
      [kind],
      `font-size="12" fill="${COLOURS.strong}" text-anchor="end"`,
    ),
  ].join('\n');
}

function kindOf({ query }: Insight): string {
  if (query.kind === 'DataVisualizationNode') {
    return query.display === 'ActionsBar' ? 'bars' : 'table';
  }
  if (query.source.kind === 'FunnelsQuery') return 'funnel';
  return query.source.trendsFilter.display === 'ActionsLineGraph' ? 'lines' : 'bars';
}
