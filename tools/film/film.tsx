/** One frame of the film, as a pure function of the second. Each rendering gives the same images. */
import { Flat } from '#illustrations/ink.tsx';
import { PowerChairUser, Walker } from '#illustrations/people.tsx';
import { SCENES, type SceneName } from '#words/en/film-script.ts';
import { ease, inAndOut, mix } from './ease.ts';
import { StraightRoad, Traveller } from './road.tsx';
import { Company, Sun } from './scenes/closing.tsx';
import { Gathering } from './scenes/gathering.tsx';
import { Privacy } from './scenes/privacy.tsx';
import { Steps } from './scenes/steps.tsx';
import { round } from './sketch.tsx';
import { Words } from './words.tsx';

const STEPS: SceneName[] = ['connect', 'insight', 'research'];
const HILL = 'M0 306C120 270 300 282 440 300S690 312 800 276V450H0Z';

export function Film({ at }: { at: number }) {
  const { start: stepsFrom } = sceneAt('connect');
  const { start: privacyFrom, end: privacyTo } = sceneAt('privacy');
  return (
    <svg aria-hidden="true" className="art" viewBox="0 0 800 450" width="1280" height="720">
      <path d="M0 0H800V450H0Z" fill="var(--paper)" stroke="none" />
      {at >= privacyTo - 1 && <Sun at={at - privacyTo} />}
      <Flat d={HILL} fill="sand" />
      <g opacity={round(1 - ease(at, stepsFrom - 0.7, 0.9))}>
        {at < stepsFrom + 0.2 && <Gathering at={at} />}
      </g>
      <g opacity={round(ease(at, stepsFrom - 1.4, 0.7))}>
        {at > stepsFrom - 1.4 && <StraightRoad travelled={travelled(at)} />}
      </g>
      <Steps at={at} sceneAt={sceneAt} />
      {at < privacyTo - 1 ? <Travellers at={at} /> : <Company at={at - privacyTo} />}
      <Privacy at={at - privacyFrom} opacity={inAndOut(at, privacyFrom - 0.5, privacyTo, 1)} />
      {SCENES.map(({ name, start, end, words }) => (
        <Words
          key={name}
          lines={words}
          opacity={inAndOut(at, start + 0.2, name === 'closing' ? end + 1 : end)}
          {...(STEPS.includes(name) && { step: STEPS.indexOf(name) + 1, size: 47 })}
          {...(name === 'closing' && { size: 62 })}
          {...(name === 'privacy' && { ink: 'var(--on-band)' })}
        />
      ))}
    </svg>
  );
}

function sceneAt(name: SceneName) {
  return SCENES.find((scene) => scene.name === name) ?? SCENES[0];
}

/** Transition to the next stop: the road marks move while one image fades into the next. */
function travelled(at: number): number {
  const legs = STEPS.slice(1).map((name) => ease(at, sceneAt(name).start - 0.6, 1.8));
  return -104 * legs.reduce((sum, leg) => sum + leg, 0);
}

function Travellers({ at }: { at: number }) {
  const comes = mix(-140, 96, ease(at, sceneAt('carried').start + 0.2, 3.6));
  const drivesOn = 130 * ease(at, 20.2, 4.2);
  const joins = ease(at, sceneAt('research').start + 1, 3.2);
  return (
    <>
      <Traveller x={mix(-120, 112, joins)} scale={0.74}>
        <Walker at="0 0" top="pine" legs="plum" skin="skin" />
      </Traveller>
      <Traveller x={comes + drivesOn}>
        <PowerChairUser at="0 0" top="clay" legs="pine" skin="skin-deep" />
      </Traveller>
    </>
  );
}
