/** Draws the steps of a funnel from its definition. Optional steps are dashed. */
import type { Insight } from '#dashboards/dashboard.ts';
import type { EventsNode } from '#dashboards/query.schema.ts';
import { box, COLOURS, svg, textLines } from './svg.ts';

const STEP = 212;
const WIDTH = 184;
const HEIGHT = 104;
const TOP = 54;
const LEFT = 14;

/** @returns an SVG file @throws if the insight is not a funnel */
export function drawFunnel({ name, query }: Insight): string {
  if (query.source.kind !== 'FunnelsQuery') throw new Error(`${name} is not a funnel`);
  const { series, breakdownFilter } = query.source;
  const width = LEFT * 2 + STEP * (series.length - 1) + WIDTH;
  const middle = TOP + HEIGHT / 2;
  const arrows = series.slice(1).map((_, i) => {
    const from = LEFT + i * STEP + WIDTH;
    const to = from + STEP - WIDTH;
    return `<path d="M${from} ${middle}H${to - 3}m-7 -5l7 5l-7 5" fill="none" stroke="${COLOURS.ink}" stroke-width="2"/>`;
  });
  const note = `Each line of the funnel is one value of ${breakdownFilter.breakdown}. Dashed steps are optional: a visit may skip them.`;
  return svg(width, TOP + HEIGHT + 22, `${name}: its steps`, [
    textLines(LEFT, 24, [name], `font-size="17" font-weight="700" fill="${COLOURS.ink}"`),
    textLines(LEFT, 43, [note], `font-size="13" fill="${COLOURS.quiet}"`),
    ...arrows,
    ...series.map((step, i) => drawStep(step, i)),
  ]);
}

function drawStep(step: EventsNode, index: number): string {
  const left = LEFT + index * STEP;
  const dash = step.optionalInFunnel ? ' stroke-dasharray="7 5"' : '';
  const filters = (step.properties ?? []).map(({ key, value }) => `${key} = ${value.join(', ')}`);
  const code = 'font-family="ui-monospace, monospace" font-size="12"';
  return [
    box(
      left,
      TOP,
      WIDTH,
      HEIGHT,
      `fill="${COLOURS.card}" stroke="${COLOURS.strong}" stroke-width="2"${dash}`,
    ),
    textLines(
      left + 12,
      TOP + 28,
      [`${index + 1}. ${step.custom_name}`],
      `font-size="14" font-weight="700" fill="${COLOURS.ink}"`,
    ),
    textLines(left + 12, TOP + 54, [step.event, ...filters], `${code} fill="${COLOURS.quiet}"`),
    step.optionalInFunnel
      ? textLines(left + 12, TOP + 92, ['optional'], `font-size="12" fill="${COLOURS.strong}"`)
      : '',
  ].join('\n');
}
