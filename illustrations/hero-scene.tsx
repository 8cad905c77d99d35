/** Threads from scattered records bend into one road, and people travel along it. */
import { Drawing, Flat, paint, Signal } from './ink.tsx';
import { ClinicDoor, FolderStack, LabTubes, Letter, PhoneOnMount } from './objects.tsx';
import { PowerChairUser, Walker } from './people.tsx';

const ROAD =
  'M500 226C590 240 690 290 664 376 644 440 540 452 420 452L210 452C116 452 84 490 84 552';
/** The shoulders close in until only the lane marks are left: they are the line that runs down the page. */
const NARROWING = 'M62 550C62 600 77 590 77 640M106 550C106 600 91 590 91 640';

const THREADS = [
  'M96 262C140 226 190 250 172 276s-52-6-22-28c50-36 130 6 190 2 70-6 100-20 158-20',
  'M236 122c-6 40 30 40 40 62s-30 30-36 8 40-26 80 12 96 24 178 22',
  'M392 92c12 34-40 40-34 68s52 10 46-12-40 2-20 40 60 30 118 34',
  'M548 140c-6 40-62 20-70 48s30 30 28 6-50-2-46 30c2 8 12 4 28 4',
  'M668 196c-30 26-60-14-84 2s8 38 20 18-26-24-56-14-40 10-48 20',
];

export function HeroScene({ className }: { className?: string }) {
  return (
    <Drawing box="0 0 720 640" className={className} data-arrive="">
      <Flat d="M222 440a122 122 0 0 1 244 0Z" fill="marigold" />
      <path d="M228 436a122 122 0 0 1 244 0" />
      <Flat
        d="M84 640C84 540 100 470 250 456H420C600 456 690 420 720 400 810 340 1000 290 1500 300V560C1000 500 420 540 84 640Z"
        fill="sand"
      />
      <ClinicDoor at="12 306" />
      <FolderStack at="176 122" />
      <LabTubes at="350 92" />
      <PhoneOnMount at="516 138" />
      <Letter at="628 196" />
      {THREADS.map((d) => (
        <path key={d} d={d} />
      ))}
      <path d={ROAD} strokeWidth="46" strokeLinecap="butt" />
      <path d={ROAD} strokeWidth="41.5" strokeLinecap="butt" stroke={paint('mist')} />
      <Flat d="M61 550C61 600 77 590 77 640H91C91 590 107 600 107 550Z" fill="mist" />
      <path d={NARROWING} />
      <Signal d={`${ROAD}V640`} />
      <g>
        <Walker at="400 428" top="pine" legs="plum" skin="skin" />
        <PowerChairUser at="270 428" top="clay" legs="pine" skin="skin-deep" />
        <g transform="translate(168 429) scale(.74)">
          <PowerChairUser at="0 0" top="mist" legs="clay" skin="skin" />
        </g>
      </g>
    </Drawing>
  );
}
