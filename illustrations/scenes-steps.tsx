import { Drawing, Flat, Limb, paint, Shape, Signal } from './ink.tsx';
import { FolderStack, LabTubes } from './objects.tsx';

/** Threads from two places meet. */
export function ConnectDrawing() {
  return (
    <Drawing box="0 0 260 190">
      <Flat d="M20 120C60 84 210 84 244 124 256 160 200 184 130 184S0 160 20 120Z" fill="sand" />
      <FolderStack at="6 116" />
      <LabTubes at="176 108" />
      <path d="M70 118c-2 30 44 12 40 34s-26 10-14-4 34 2 34 16" />
      <path d="M206 110c0 26-40 10-42 32s24 14 14-2-48-2-48 24" />
      <Signal d="M130 164V186" size={11} dash="8 40" />
    </Drawing>
  );
}

/** A phone on the chair's arm, which points out a gap in the line. */
export function InsightDrawing() {
  return (
    <Drawing box="0 0 260 190">
      <Flat d="M24 96C60 50 200 50 236 96 252 140 200 176 130 176S0 150 24 96Z" fill="mist" />
      <Limb d="M196 184 200 150 168 130" fill="card" width={10} />
      <Shape d="M70 138q-8 0-8-9l3-104q1-9 9-9l108 4q9 1 9 9l-4 103q-1 8-9 8Z" fill="card" />
      <path d="M86 40h46M86 56h70" />
      <Signal d="M82 100C104 78 120 122 140 100" size={11} dash="16 17" />
      <circle
        cx="152"
        cy="94"
        r="13"
        strokeDasharray="1 6"
        stroke={paint('clay')}
        strokeWidth="3.5"
      />
      <path d="M40 184V150h20v34M50 150v-16" />
      <circle cx="50" cy="128" r="8" fill={paint('marigold')} />
      <path d="M28 184H214" />
    </Drawing>
  );
}

const COUNTRY =
  'M22 30C64 38 108 40 152 40l14 8 16-4 4 20 10 10 6-24 14 12 24-8 20-20 14-8 6 22-18 20-8 24 6 22-22 22 6 18 8 28-8 6-14-30-22-2-20 8-24-2-16 14-6 24-18-20-14-16-18 2-20-12-30-4-16-26-12-28Z';

const HOMES = [
  [52, 64],
  [104, 74],
  [76, 116],
  [146, 108],
  [128, 150],
  [196, 98],
  [236, 82],
  [224, 138],
] as const;

/** Homes all over the country, joined like a constellation. */
export function ResearchDrawing() {
  return (
    <Drawing box="0 0 320 210">
      <g transform="translate(8 4) scale(1.06 1)">
        <Shape d={COUNTRY} fill="pine" shift="6 5" />
        <path
          d="M52 64 104 74 146 108 196 98 236 82M104 74 76 116 128 150 146 108M196 98l28 40"
          strokeDasharray="1 7"
          stroke={paint('light')}
          strokeWidth="3"
        />
        {HOMES.map(([x, y]) => (
          <path key={x} d={`M${x - 9} ${y + 8}V${y - 2}l9-9 9 9v10Z`} fill={paint('marigold')} />
        ))}
      </g>
    </Drawing>
  );
}
