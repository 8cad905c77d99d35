/** The road, its signal line, and who travels on it. In the film everyone goes the way we read: to the right. */
import type { ReactNode } from 'react';
import { paint, Signal } from '#illustrations/ink.tsx';
import { round } from './sketch.tsx';
import { ROAD_START } from './threads.ts';

/** Where wheels and feet stand. */
export const ROAD_TOP = 331;
const MIDDLE = 352;

/** Out of the gathered threads, round the bend, and on to the right. */
const BEND = `M${ROAD_START.join(' ')}C160 152 62 150 62 252 62 330 120 ${MIDDLE} 210 ${MIDDLE}`;
const AHEAD = `M210 ${MIDDLE}H830`;
/** Begins a whole number of segments before AHEAD, so that one takes the other's place unseen. */
const STRAIGHT = `M-50 ${MIDDLE}H830`;

/** @param done how much of it is there */
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

/** @param travelled how far its marks have passed, in units of the picture */
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

/** The people of the page look left; here they are turned round. @param x where their back is */
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
