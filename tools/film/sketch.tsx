/** Draws the page's illustrations stroke by stroke, in the order of their elements. */
import { cloneElement, Fragment, isValidElement, type ReactElement, type ReactNode } from 'react';

type Props = Record<string, unknown> & { children?: ReactNode };

/** Share of the whole time for one stroke. The strokes overlap. */
const STROKE_SHARE = 0.4;

/** @param done from 0 (empty) to 1 (the drawing exactly as on the page) */
export function Sketch({ done, children }: { done: number; children: ReactNode }) {
  if (done <= 0) return null;
  const strokes = countStrokes(children);
  let next = 0;
  const drawNext = (stroke: ReactElement<Props>) => {
    const start = (next / Math.max(1, strokes - 1)) * (1 - STROKE_SHARE);
    next += 1;
    return drawStroke(stroke, (done - start) / STROKE_SHARE, next);
  };
  return <>{redraw(children, drawNext)}</>;
}

function countStrokes(node: ReactNode): number {
  let count = 0;
  redraw(node, () => {
    count += 1;
    return null;
  });
  return count;
}

/** Resolves the components of a tree and replaces each stroke. The drawing's `svg` becomes a group. */
function redraw(node: ReactNode, draw: (stroke: ReactElement<Props>) => ReactNode): ReactNode {
  if (Array.isArray(node)) {
    // biome-ignore lint/suspicious/noArrayIndexKey: a still frame is rendered once; nothing is ever reordered
    return node.map((child, i) => <Fragment key={i}>{redraw(child, draw)}</Fragment>);
  }
  if (!isValidElement<Props>(node)) return node;
  const { type, props } = node;
  if (typeof type === 'function') return redraw((type as (p: Props) => ReactNode)(props), draw);
  if ((type as unknown) === Fragment) return redraw(props.children, draw);
  if (type === 'svg') return <g>{redraw(props.children, draw)}</g>;
  if (type === 'g') return cloneElement(node, {}, redraw(props.children, draw));
  return draw(node);
}

/** Lower bound for the width of a broad stroke, such as an arm or a bar. */
const BROAD = 8;

/** Draws a thin line along its path. A fill, a broad line and a dotted line fade in. */
function drawStroke(stroke: ReactElement<Props>, done: number, key: number): ReactNode {
  if (done <= 0) return null;
  if (done >= 1) return cloneElement(stroke, { key });
  const { stroke: ink, strokeDasharray: dashes, strokeWidth } = stroke.props;
  if (ink === 'none' || dashes || Number(strokeWidth ?? 0) > BROAD)
    return cloneElement(stroke, { key, opacity: round(done) });
  return cloneElement(stroke, {
    key,
    pathLength: 1,
    strokeDasharray: '1 1',
    strokeDashoffset: round(1 - done),
    fillOpacity: round(done * done),
  });
}

export const round = (value: number) => Math.round(value * 1000) / 1000;
