/** Scenes 1 to 3, one changing image: scattered records, the person in front of them, and the road. */
import type { ReactElement } from 'react';
import {
  ClinicDoor,
  FolderStack,
  LabTubes,
  Letter,
  PhoneOnMount,
} from '#illustrations/objects.tsx';
import { ease } from '../ease.ts';
import { RoadWithBend } from '../road.tsx';
import { round, Sketch } from '../sketch.tsx';
import { THREADS, threadPath } from '../threads.ts';

const THINGS: ReactElement[] = [
  <Letter key="letter" at="424 234" />,
  <FolderStack key="folders" at="556 126" />,
  <LabTubes key="tubes" at="704 132" />,
  <PhoneOnMount key="phone" at="580 294" />,
  <ClinicDoor key="door" at="694 326" />,
];

/** The objects appear one after the other, each followed by its thread. */
const EVERY_S = 1.1;
const UNTANGLE_FROM = 15.9;

export function Gathering({ at }: { at: number }) {
  const gathered = ease(at, UNTANGLE_FROM, 3);
  return (
    <>
      {THREADS.map((thread, i) => (
        <Thread
          key={thread.astray.join()}
          d={threadPath(thread, gathered)}
          drawn={ease(at, 1.4 + i * EVERY_S, 2.4)}
        />
      ))}
      {THINGS.map((thing, i) => (
        <Sketch key={thing.key} done={ease(at, 0.3 + i * EVERY_S, 1.6)}>
          {thing}
        </Sketch>
      ))}
      <RoadWithBend done={ease(at, UNTANGLE_FROM + 2.2, 3)} />
    </>
  );
}

function Thread({ d, drawn }: { d: string; drawn: number }) {
  if (drawn <= 0) return null;
  const dash = { pathLength: 1, strokeDasharray: '1 1', strokeDashoffset: round(1 - drawn) };
  return <path d={d} {...(drawn < 1 && dash)} />;
}
