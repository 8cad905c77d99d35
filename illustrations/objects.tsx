/** Objects that hold records. The base of each is at y = 0, its left edge at x = 0. */
import { Limb, paint, Shape } from './ink.tsx';

interface Placed {
  at: string;
}

/** A clinic's door, a hand's width open. 84 wide, 128 high. */
export function ClinicDoor({ at }: Placed) {
  return (
    <g transform={`translate(${at})`}>
      <Shape d="M2 0 4-126 80-128 82 0Z" fill="sand" />
      <Shape d="M16 0 17-108 54-98 55 6Z" fill="pine" shift="-3 2" />
      <path d="M17-108 70-110 71-1M46-46v10" />
      <path d="M30-84v18m-9-9h18" strokeWidth="5" stroke={paint('light')} />
    </g>
  );
}

/** Years of visits in three folders. 112 wide, 74 high. */
export function FolderStack({ at }: Placed) {
  return (
    <g transform={`translate(${at})`}>
      <Shape d="M6 0 4-24 34-25l5 5 68 1 3 18Z" fill="clay" />
      <Shape d="M0-24l2-22 32-2 6 6 64-2 2 20Z" fill="marigold" shift="-2 3" />
      <path d="M24-50 30-74l54 6-3 20" fill={paint('card')} />
      <Shape d="M8-46 6-64l30-2 5 6 62 2-2 14Z" fill="mist" />
      <path d="M50-54h28" />
    </g>
  );
}

/** A phone on the arm that clamps to a chair. 62 wide, 128 high. */
export function PhoneOnMount({ at }: Placed) {
  return (
    <g transform={`translate(${at})`}>
      <Limb d="M30 0 34-26 14-40 28-58" fill="mist" width={9} />
      <Shape d="M10-58q-6-1-6-7l4-56q1-7 7-7l36 3q6 1 6 7l-4 56q-1 6-7 6Z" fill="card" />
      <path d="M16-112 44-110M15-98l18 1" />
      <path d="M14-76c8-14 14 10 22-4s8-4 12-2" stroke={paint('clay')} />
    </g>
  );
}

/** A tube from the lab in its rack. 64 wide, 78 high. */
export function LabTubes({ at }: Placed) {
  return (
    <g transform={`translate(${at})`}>
      <Shape d="M14-70h14v50q-1 8-7 8t-7-8Z" fill="card" />
      <Shape d="M38-76h14v56q-1 8-7 8t-7-8Z" fill="card" />
      <path
        d="M15-42h12v22q-1 7-6 7t-6-7ZM39-30h12v10q-1 7-6 7t-6-7Z"
        fill={paint('clay')}
        stroke="none"
      />
      <path d="M0-34h64M4 0h56M6-34 4 0M58-34l2 34" />
    </g>
  );
}

/** A letter, written by someone in a hurry. 74 wide, 66 high. */
export function Letter({ at }: Placed) {
  return (
    <g transform={`translate(${at})`}>
      <Shape d="M2-4 0-64l70-2 4 62Z" fill="card" shift="4 3" />
      <path d="M12-50h34M13-38h46M13-26h40M14-15h22" />
    </g>
  );
}
