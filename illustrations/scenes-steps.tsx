import { Drawing, Flat, paint, Shape, Signal } from './ink.tsx';
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

const GROUND = 'M16 92C20 34 96 26 148 14S292 20 300 84 276 176 200 188 8 180 16 92Z';

const HOMES = [
  [60, 72],
  [112, 80],
  [74, 132],
  [152, 114],
  [126, 164],
  [208, 98],
  [258, 74],
  [240, 142],
] as const;

/** Homes far from each other, joined like a constellation. No map, because site.config.ts may leave the country out. */
export function ResearchDrawing() {
  return (
    <Drawing box="0 0 320 210">
      <g transform="translate(4 6)">
        <Shape d={GROUND} fill="pine" shift="6 5" />
        <path
          d="M60 72 112 80 152 114 208 98 258 74M112 80 74 132 126 164 152 114M208 98l32 44"
          strokeDasharray="1 7"
          stroke={paint('light')}
          strokeWidth="3"
        />
        {HOMES.map(([x, y]) => (
          <path
            key={x}
            d={`M${x - 12} ${y + 10}V${y - 4}l12-11 12 11v14Z`}
            fill={paint('marigold')}
          />
        ))}
      </g>
    </Drawing>
  );
}
