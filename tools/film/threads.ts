/** The threads of the scattered records: curled at first, straight when the road appears. */
import { mix } from './ease.ts';

type Point = readonly [x: number, y: number];
type Curve = readonly [Point, Point, Point, Point];

interface Thread {
  /** The thread's curve before the road appears; `loops` and `radius` describe its curls. */
  astray: Curve;
  loops: number;
  radius: number;
  /** The thread's curve to the road, from the same object. */
  gathered: Curve;
}

export const ROAD_START: Point = [258, 152];
const SAMPLES = 64;

export const THREADS: readonly Thread[] = [
  thread(
    [428, 200],
    [
      [360, 150],
      [330, 170],
      [250, 230],
    ],
    [3, 34],
    [
      [370, 196],
      [330, 146],
    ],
  ),
  thread(
    [556, 108],
    [
      [470, 130],
      [430, 300],
      [300, 296],
    ],
    [4, 38],
    [
      [470, 112],
      [400, 149],
    ],
  ),
  thread(
    [704, 110],
    [
      [640, 190],
      [540, 130],
      [360, 250],
    ],
    [4, 46],
    [
      [600, 190],
      [470, 151],
    ],
  ),
  thread(
    [586, 238],
    [
      [540, 250],
      [470, 190],
      [330, 200],
    ],
    [3, 44],
    [
      [500, 236],
      [400, 153],
    ],
  ),
  thread(
    [700, 262],
    [
      [640, 250],
      [560, 330],
      [400, 300],
    ],
    [3, 36],
    [
      [590, 262],
      [430, 155],
    ],
  ),
];

/** @param share 0 for astray, 1 for gathered */
export function threadPath({ astray, loops, radius, gathered }: Thread, share: number): string {
  const points = Array.from({ length: SAMPLES + 1 }, (_, i): Point => {
    const along = i / SAMPLES;
    const [fromX, fromY] = pointOn(astray, along);
    const [toX, toY] = pointOn(gathered, along);
    // No curl at the ends: one is tied to its object, the other is loose.
    const curl = 1.15 * radius * Math.sin(Math.PI * along) * (1 - share);
    const turn = 2 * Math.PI * loops * along;
    return [
      mix(fromX, toX, share) + curl * Math.sin(turn),
      mix(fromY, toY, share) - curl * Math.cos(turn),
    ];
  });
  return smooth(points);
}

function thread(
  from: Point,
  astray: [Point, Point, Point],
  [loops, radius]: [number, number],
  bends: [Point, Point],
): Thread {
  return { astray: [from, ...astray], loops, radius, gathered: [from, ...bends, ROAD_START] };
}

function pointOn([a, b, c, d]: Curve, t: number): Point {
  const s = 1 - t;
  const on = (axis: 0 | 1) =>
    s ** 3 * a[axis] + 3 * s * s * t * b[axis] + 3 * s * t * t * c[axis] + t ** 3 * d[axis];
  return [on(0), on(1)];
}

/** A smooth line along all points: each point is the control point of a curve between the midpoints next to it. */
function smooth(points: readonly Point[]): string {
  const text = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const curves = points.slice(1, -1).map((point, i) => {
    const next = points[i + 2] ?? point;
    return `Q${text(point)} ${text([(point[0] + next[0]) / 2, (point[1] + next[1]) / 2])}`;
  });
  return `M${text(points[0] ?? ROAD_START)}${curves.join('')}L${text(points.at(-1) ?? ROAD_START)}`;
}
