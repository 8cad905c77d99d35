/** The hero's scene as a band: threads from scattered records become a road that leads down to the code. */
import { Drawing, Flat, paint, Signal } from './ink.tsx';
import { FolderStack, LabTubes, Letter } from './objects.tsx';
import { PowerChairUser, Walker } from './people.tsx';

const ROAD = 'M452 62C400 62 386 118 316 118H186C140 118 126 140 126 182';

const THREADS = [
  'M668 64c-18 26-62-2-70 18s34 20 24 2-60-12-90-6-42-16-80-16',
  'M568 62c-6 18-34 10-40 24s24 14 14-4-46-20-90-20',
  'M492 56c-2 12-16 8-16 0s12-6 8 2-14 4-24 4',
];

export function LeafletScene() {
  return (
    <Drawing box="0 12 720 164">
      <Flat d="M236 112a66 66 0 0 1 132 0Z" fill="marigold" />
      <Flat
        d="M0 176C60 140 130 110 240 106H350C430 104 500 92 580 100S690 140 720 176Z"
        fill="sand"
      />
      <g transform="translate(474 54) scale(.56)">
        <LabTubes at="0 0" />
      </g>
      <g transform="translate(534 60) scale(.62)">
        <FolderStack at="0 0" />
      </g>
      <g transform="translate(644 66) scale(.72)">
        <Letter at="0 0" />
      </g>
      {THREADS.map((d) => (
        <path key={d} d={d} />
      ))}
      <path d={ROAD} strokeWidth="40" strokeLinecap="butt" />
      <path d={ROAD} strokeWidth="35.5" strokeLinecap="butt" stroke={paint('mist')} />
      <Signal d={ROAD} size={11} dash="26 20" />
      <g transform="translate(206 101) scale(.56)">
        <PowerChairUser at="0 0" top="clay" legs="pine" skin="skin-deep" />
      </g>
      <g transform="translate(292 101) scale(.56)">
        <Walker at="0 0" top="pine" legs="plum" skin="skin" />
      </g>
    </Drawing>
  );
}
