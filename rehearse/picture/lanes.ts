/** Draws the lanes: a dot per click, and the disasters as bands behind them. */
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Night } from '../night/play-night.ts';
import { type Dot, dotsOf, type Kind, LANES, LEAST_S } from './dots.ts';
import * as style from './style.ts';

const DOT_PX = 3.4;
const MOST_S = 600;

export interface Drawn {
  /** The SVG's inner elements. */
  elements: string;
  height: number;
  /** Pixel of a time in seconds since the night began. */
  xOf(seconds: number): number;
  /** Top and height of a lane in pixels. */
  laneOf(lane: string): { top: number; height: number };
}

export function drawLanes(night: Night): Drawn {
  const dots = dotsOf(night);
  const lanes = LANES.filter((lane) => dots.some((dot) => dot.lane === lane));
  const height = style.TOP + lanes.length * style.LANE_HEIGHT + 40;
  const plot = Plot.plot({
    document: parseHTML('<!doctype html><html><body></body></html>')
      .document as unknown as Document,
    ...{ width: style.WIDTH, height },
    ...{ marginLeft: style.LEFT, marginRight: style.RIGHT, marginTop: style.TOP, marginBottom: 40 },
    x: { domain: [0, secondsOf(night)], axis: null },
    y: { type: 'log', domain: [LEAST_S / 1.5, MOST_S], axis: null },
    fy: { domain: lanes, axis: null, padding: 0.14 },
    marks: [
      ...backgroundMarks(night),
      ...Object.keys(style.COLOURS).map((kind) => dotMark(dots, kind as Kind)),
    ],
  });
  const [x, fy] = [plot.scale('x'), plot.scale('fy')];
  if (!x || !fy) throw new Error('The picture has no scales');
  for (const sheet of plot.querySelectorAll('style')) sheet.remove();
  joinCircles(plot);
  return {
    height,
    elements: plot.innerHTML.replace(/(\d\.\d)\d+/g, '$1'),
    xOf: (seconds) => Number(x.apply(seconds)),
    laneOf: (lane) => ({ top: Number(fy.apply(lane)), height: Number(fy.bandwidth) }),
  };
}

export const secondsOf = ({ lastClickAt, from }: Night): number => (lastClickAt - from) / 1000;

function backgroundMarks({ struck, from }: Night): Plot.Markish[] {
  const seconds = (at: number) => (at - from) / 1000;
  return [
    Plot.rect(struck, {
      x1: ({ from: at }) => seconds(at),
      x2: ({ to }) => seconds(to),
      fill: style.BAND,
    }),
    Plot.ruleY(
      style.TICKS.map(([value]) => value),
      { stroke: style.GRID },
    ),
    Plot.frame({ anchor: 'bottom', stroke: style.QUIET }),
    Plot.text(style.TICKS, {
      ...{ y: '0', text: '1', frameAnchor: 'left', textAnchor: 'end', dx: -8 },
      ...{ fill: style.QUIET, fontSize: 12 },
    }),
  ];
}

const dotMark = (dots: readonly Dot[], kind: Kind) =>
  Plot.dot(
    dots.filter((dot) => dot.kind === kind),
    { x: 'x', y: 'y', fy: 'lane', r: DOT_PX / 2, fill: style.COLOURS[kind] },
  );

/** Draws each group of circles as one path of points, because thousands of elements make a large file. */
function joinCircles(plot: Element): void {
  const groups = new Map<Element, string[]>();
  for (const circle of plot.querySelectorAll('circle')) {
    const parent = circle.parentElement as Element;
    const [x, y] = ['cx', 'cy'].map((name) => Number(circle.getAttribute(name)).toFixed(1));
    groups.set(parent, [...(groups.get(parent) ?? []), `M${x},${y}h0`]);
    circle.remove();
  }
  for (const [parent, points] of groups) {
    const path = parent.ownerDocument.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', points.join(''));
    path.setAttribute('stroke', parent.closest('[fill]')?.getAttribute('fill') ?? style.INK);
    path.setAttribute('stroke-width', String(DOT_PX));
    parent.append(path);
  }
}
