/** Scene 8: all people are on the road. */
import { Flat } from '#illustrations/ink.tsx';
import { PowerChairUser, Walker } from '#illustrations/people.tsx';
import { ease, mix } from '../ease.ts';
import { Traveller } from '../road.tsx';
import { round } from '../sketch.tsx';

const SUN = 'M0 0a104 104 0 0 1 208 0Z';

export function Sun({ at }: { at: number }) {
  return (
    <g transform={`translate(570 ${round(mix(352, 306, ease(at, 0.4, 3)))})`}>
      <Flat d={SUN} fill="marigold" />
      <path d="M5-3a104 104 0 0 1 208 0" />
    </g>
  );
}

export function Company({ at }: { at: number }) {
  const way = mix(-30, 20, ease(at, 0, 6));
  return (
    <g transform={`translate(${round(way)} 0)`}>
      <Traveller x={216} scale={0.66}>
        <Walker at="0 0" top="clay" legs="pine" skin="skin" />
      </Traveller>
      <Traveller x={300}>
        <PowerChairUser at="0 0" top="clay" legs="pine" skin="skin-deep" />
      </Traveller>
      <Traveller x={404}>
        <Walker at="0 0" top="pine" legs="plum" skin="skin" />
      </Traveller>
      <Traveller x={530} scale={0.64}>
        <PowerChairUser at="0 0" top="mist" legs="clay" skin="skin" />
      </Traveller>
    </g>
  );
}
