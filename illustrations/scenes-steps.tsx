import { Drawing, Flat, Limb, paint, Shape, Signal } from './ink.tsx';
import { FolderStack, LabTubes } from './objects.tsx';
import { PowerChairUser } from './people.tsx';

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

/** Someone watches the film, with its captions, on a screen in reach. Its thread comes from the line at the left edge. */
export function WatchDrawing() {
  return (
    <Drawing box="0 0 440 250">
      <Flat
        d="M84 214C110 130 200 96 300 104S440 160 432 214 330 246 250 244 70 250 84 214Z"
        fill="sand"
      />
      <path d="M110 232H428" />
      <Limb d="M186 168 192 228" fill="mist" width={11} />
      <path d="M168 230H216" strokeWidth="9" />
      <Shape d="M92 58 268 48 276 164 100 172Z" fill="card" />
      <path d="M106 70 256 61 259 128 110 136Z" fill={paint('hill')} />
      <Signal d="M110 122C160 118 170 92 258 84" size={9} dash="12 12" />
      <path d="M112 146 262 138 263 152 113 160Z" fill={paint('shade')} stroke="none" />
      <path d="M128 152 206 148M220 147 246 146" stroke={paint('light')} strokeWidth="3" />
      <path d="M2 4C2 60 26 92 56 84S60 44 44 54 56 112 96 104" />
      <PowerChairUser at="302 231" top="marigold" legs="pine" skin="skin-deep" />
    </Drawing>
  );
}
