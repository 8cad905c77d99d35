import { Drawing, Flat, Limb, paint, Shape, Signal } from './ink.tsx';
import { ClinicDoor } from './objects.tsx';
import { PowerChairUser, Walker } from './people.tsx';

/** A child in a standing frame, with one folder that holds it all. Its thread comes from the line at the left edge. */
export function BenefitsDrawing() {
  return (
    <Drawing box="-64 0 440 300">
      <Flat d="M30 220C70 150 320 150 356 220 370 262 290 284 190 284S10 270 30 220Z" fill="mist" />
      <Shape d="M60 164H226l-4 14H64Z" fill="card" />
      <path d="M84 178 78 282M204 178l8 104" />
      <Shape d="M92 160l6-58 40 4 6 10 64 4-4 40Z" fill="marigold" shift="-4 3" />
      <path d="M112 136h62M110 148h44" />
      <path d="M150 106C146 56 104 54 70 60S10 92 6 66 50 40 30 26-62 60-62 4" />
      <Signal d="M128 64C108 54 90 56 70 60" size={11} dash="20 18" />
      <path d="M300 104 262 270M238 272H330M318 272l-16-60" strokeWidth="9" />
      <path
        d="M300 104 262 270M238 272H330M318 272l-16-60"
        strokeWidth="4.5"
        stroke={paint('clay')}
      />
      <Limb d="M282 176 262 262" fill="plum" width={20} />
      <path d="M262 266H244" strokeWidth="10" />
      <Shape d="M274 110c10-8 26-4 28 6l-12 66h-26c2-26 2-50 10-72Z" fill="pine" />
      <Limb d="M284 122 254 150 218 150" fill="pine" width={14} />
      <circle cx="282" cy="88" r="17" fill={paint('skin')} stroke="none" />
      <circle cx="280" cy="86" r="17" />
      <path
        d="M270 74c8-12 30-8 32 6 2 10-2 18-6 20-2-12-14-14-26-26ZM300 70c10-8 16 2 10 10"
        fill={paint('shade')}
      />
      <path d="M262 160 300 170" strokeWidth="5" />
      <circle cx="330" cy="274" r="10" fill={paint('card')} />
      <circle cx="240" cy="276" r="8" fill={paint('card')} />
    </Drawing>
  );
}

/** Everyone is on the road, and it leads to the button. */
export function ClosingDrawing() {
  const road = 'M840 268H330C180 268 160 300 120 366';
  return (
    <Drawing box="0 0 760 360">
      <Flat d="M60 360C130 250 300 230 420 262 560 300 700 200 780 210V360Z" fill="hill" />
      <ClinicDoor at="640 246" />
      <path d={road} strokeWidth="46" />
      <path d={road} strokeWidth="41.5" stroke={paint('card')} />
      <Signal d={road} />
      <Walker at="540 246" top="plum" legs="clay" skin="skin-deep" />
      <PowerChairUser at="396 246" top="pine" legs="plum" skin="skin" />
      <g transform="translate(316 246) scale(.76)">
        <Walker at="0 0" top="clay" legs="pine" skin="skin" />
      </g>
      <g transform="translate(206 252) scale(.74)">
        <PowerChairUser at="0 0" top="mist" legs="clay" skin="skin-deep" />
      </g>
    </Drawing>
  );
}
