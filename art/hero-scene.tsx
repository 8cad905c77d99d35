/** Records scattered over many places send out threads; the threads bend into one road, and people take it. */
import { Drawing, Flat, paint, Signal } from './ink.tsx';
import { ClinicDoor, FolderStack, LabTubes, Letter, PhoneOnMount } from './objects.tsx';
import { PowerChairUser, Walker } from './people.tsx';

const ROAD =
  'M470 236C566 250 676 300 656 382 640 442 540 452 420 452L250 452C140 452 84 480 84 556L84 660';

const THREADS = [
  'M96 168C150 150 176 200 150 218s-44-22-4-26c70-6 130 60 190 46 50-12 80-6 134-2',
  'M236 122c-6 40 30 40 40 62s-30 30-36 8 40-26 80 12 90 26 150 32',
  'M392 92c12 34-40 40-34 68s52 10 46-12-40 2-20 40 50 38 86 48',
  'M548 140c-6 40-62 20-70 48s30 30 28 6-50-2-46 30c2 8 4 10 10 12',
  'M668 196c-30 26-70-10-92 8s10 38 22 18-30-26-64-12-54 8-64 26',
];

export function HeroScene({ className }: { className?: string }) {
  return (
    <Drawing box="0 0 720 640" {...(className ? { className } : {})}>
      <Flat
        d="M140 330C300 270 560 300 690 380 730 420 712 520 600 560 440 610 230 590 150 560 60 520 40 380 140 330Z"
        fill="sand"
      />
      <ClinicDoor at="12 226" />
      <FolderStack at="176 122" />
      <LabTubes at="350 92" />
      <PhoneOnMount at="516 138" />
      <Letter at="628 196" />
      {THREADS.map((d) => (
        <path key={d} d={d} />
      ))}
      <path d={ROAD} strokeWidth="46" />
      <path d={ROAD} strokeWidth="41.5" stroke={paint('mist')} />
      <Signal d={ROAD} />
      <Walker at="436 428" top="pine" legs="plum" skin="skin" />
      <PowerChairUser at="300 428" top="clay" legs="pine" skin="skin-deep" />
      <g transform="translate(196 428) scale(.74)">
        <PowerChairUser at="0 0" top="marigold" legs="plum" skin="skin" />
      </g>
    </Drawing>
  );
}
