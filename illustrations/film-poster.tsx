/** The still before the film: the road of the hero, in the film's own 16:9. */
import { Drawing, Flat, paint, Signal } from './ink.tsx';
import { ClinicDoor, FolderStack, LabTubes } from './objects.tsx';
import { PowerChairUser, Walker } from './people.tsx';

const ROAD = 'M980 300C880 300 860 420 720 420H-20';

export function FilmPoster() {
  return (
    <Drawing box="0 0 960 540">
      <path d="M0 0H960V540H0Z" fill="var(--paper)" stroke="none" />
      <Flat d="M0 330C180 250 420 330 620 300S900 180 960 200V540H0Z" fill="sand" />
      <ClinicDoor at="700 222" />
      <FolderStack at="560 150" />
      <LabTubes at="850 130" />
      <path d="M742 222c-10 40 40 30 60 50s60 20 90 26M616 152c10 60 60 20 70 60s-40 40-30 10 120 20 170 40 60 40 80 40M882 132c-10 40 40 40 30 70s-50 10-20-10 70 60 80 104" />
      <path d={ROAD} strokeWidth="60" />
      <path d={ROAD} strokeWidth="55.5" stroke={paint('mist')} />
      <Signal d={ROAD} size={15} />
      <Walker at="470 392" top="pine" legs="plum" skin="skin" />
      <PowerChairUser at="310 392" top="clay" legs="pine" skin="skin-deep" />
      <g transform="translate(190 392) scale(.74)">
        <PowerChairUser at="0 0" top="marigold" legs="plum" skin="skin" />
      </g>
    </Drawing>
  );
}
