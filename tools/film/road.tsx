/** The road, its signal line, and the people on it. In the film they all move to the right, in reading direction. */
import type { ReactNode } from 'react';
import { paint, Signal } from '#illustrations/ink.tsx';
import { round } from './sketch.tsx';
import { ROAD_START } from './threads.ts';

/** The y coordinate of wheels and feet. */
export const ROAD_TOP = 331;
const MIDDLE = 352;

/** The path from the gathered threads, round the bend, to the right. */
const BEND = `M${ROAD_START.join(' ')}C160 152 62 150 62 252 62 330 120 ${MIDDLE} 210 ${MIDDLE}`;
const AHEAD = `M210 ${MIDDLE}H830`;
/** Begins a whole number of segments before AHEAD, so that the change from one to the other is invisible. */
const STRAIGHT = `M-50 ${MIDDLE}H830`;

/** @param done the visible share, 0 to 1 */
export function RoadWithBend({ done }: { done: number }) {
  if (done <= 0) return null;
  return (
    <>
      <mask id="road" maskUnits="userSpaceOnUse" x="-40" y="0" width="900" height="450">
        <path
          d={BEND + AHEAD.slice(AHEAD.indexOf('H'))}
          stroke="#fff"
          strokeWidth="60"
          pathLength={1}
          strokeDasharray="1 1"
          strokeDashoffset={round(1 - done)}
        />
      </mask>
      <g {...(done < 1 && { mask: 'url(#road)' })}>
        <Shoulders d={BEND + AHEAD.slice(AHEAD.indexOf('H'))} />
        <Signal d={BEND + AHEAD} />
      </g>
    </>
  );
}

/** @param travelled distance that the marks have moved, in units of the image */
export function StraightRoad({ travelled }: { travelled: number }) {
  return (
    <>
      <Shoulders d={STRAIGHT} />
      <g strokeDashoffset={round(travelled)}>
        <Signal d={STRAIGHT} />
      </g>
    </>
  );
}

function Shoulders({ d }: { d: string }) {
  return (
    <>
      <path d={d} strokeWidth="42" strokeLinecap="butt" />
      <path d={d} strokeWidth="37.5" strokeLinecap="butt" stroke={paint('mist')} />
    </>
  );
}

/** Mirrors the page's people, who look left. @param x position of their backs */
export function Traveller({
  x,
  scale = 0.8,
  children,
}: {
  x: number;
  scale?: number;
  children: ReactNode;
}) {
  return (
    <g transform={`translate(${round(x + 124 * scale)} ${ROAD_TOP}) scale(${-scale} ${scale})`}>
      {children}
    </g>
  );
}
