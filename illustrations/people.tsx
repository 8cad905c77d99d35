/** People on the road, with their wheelchairs. They have no faces and look left; their wheels are at y = 0. */
import { Limb, type Paint, paint, Shape } from './ink.tsx';

interface Wearing {
  at: string;
  top: Paint;
  legs: Paint;
  skin: Paint;
}

/** Someone driving a power chair by its joystick. 124 wide, 166 high. */
export function PowerChairUser({ at, top, legs, skin }: Wearing) {
  return (
    <g transform={`translate(${at})`}>
      <path d="M98-62 110-132" strokeWidth="13" />
      <path d="M98-62 110-132" strokeWidth="8.5" stroke={paint('mist')} />
      <path d="M110-132l2-24m-9-4 16 3" strokeWidth="4" />
      <circle cx="98" cy="-150" r="15" fill={paint(skin)} stroke="none" />
      <circle cx="96" cy="-151" r="15" />
      <path
        d="M88-163c6-9 22-8 25 4 2 9-1 15-4 19-1-9-3-14-9-15-5-1-9-4-12-8Z"
        fill={paint('shade')}
      />
      <Shape d="M90-130c9-5 17-2 18 8l-8 54H78c0-24 2-48 12-62Z" fill={top} />
      <Shape d="M30-52q0-9 10-9h60q10 0 8 10l-3 22H36q-6-10-6-23Z" fill="plum" />
      <Limb d="M86-68 44-70 26-26" fill={legs} width={18} />
      <path d="M30-20 8-18" strokeWidth="9" />
      <path d="M34-56 18-14 2-12" />
      <path d="M88-84 46-82l0-14" />
      <Limb d="M95-120 80-96 52-99" fill={top} width={14} />
      <circle cx="46" cy="-100" r="5" fill={paint('marigold')} />
      <Wheel cx={78} r={26} hub="marigold" />
      <Wheel cx={32} r={12} hub="card" />
      <Wheel cx={114} r={9} hub="card" />
    </g>
  );
}

function Wheel({ cx, r, hub }: { cx: number; r: number; hub: Paint }) {
  return (
    <>
      <circle cx={cx} cy={-r} r={r - 1} fill={paint('shade')} />
      <circle cx={cx} cy={-r} r={r * 0.62} fill={paint(hub)} />
    </>
  );
}

/** A companion on foot. 70 wide, 172 high. */
export function Walker({ at, top, legs, skin }: Wearing) {
  return (
    <g transform={`translate(${at})`}>
      <Limb d="M46-84c4 26 8 44 20 76" fill={legs} width={18} />
      <Limb d="M38-84C34-56 26-36 20-8" fill={legs} width={18} />
      <path d="M20-5H6M66-5H54" strokeWidth="9" />
      <circle cx="42" cy="-152" r="15" fill={paint(skin)} stroke="none" />
      <circle cx="40" cy="-154" r="15" />
      <path
        d="M30-165c3-9 22-10 27 2 3 8 2 18-2 24-3 4-6 3-6-1-1-10-9-18-19-25Z"
        fill={paint('shade')}
      />
      <Shape d="M30-132c8-6 20-5 25 2 6 18 7 32 7 52H24c0-20 0-40 6-54Z" fill={top} />
      <Limb d="M42-120c2 16-2 28-20 36" fill={top} width={14} />
    </g>
  );
}
