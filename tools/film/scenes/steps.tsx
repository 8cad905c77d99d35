/** Scenes 4 to 6: three stops along the road. */
import type { ReactNode } from 'react';
import { MountDrawing } from '#illustrations/scenes-help.tsx';
import { ConnectDrawing, ResearchDrawing } from '#illustrations/scenes-steps.tsx';
import type { SceneName } from '#words/en/film-script.ts';
import { ease, inAndOut } from '../ease.ts';
import { round, Sketch } from '../sketch.tsx';

interface Stop {
  scene: SceneName;
  transform: string;
  drawing: ReactNode;
}

const STOPS: Stop[] = [
  { scene: 'connect', transform: 'translate(424 52) scale(1.34)', drawing: <ConnectDrawing /> },
  { scene: 'insight', transform: 'translate(440 66) scale(1.22)', drawing: <MountDrawing /> },
  { scene: 'research', transform: 'translate(408 60) scale(1.12)', drawing: <ResearchDrawing /> },
];

export function Steps({
  at,
  sceneAt,
}: {
  at: number;
  sceneAt: (name: SceneName) => { start: number; end: number };
}) {
  return STOPS.map(({ scene, transform, drawing }) => {
    const { start, end } = sceneAt(scene);
    const opacity = inAndOut(at, start, end);
    return (
      opacity > 0 && (
        <g key={scene} opacity={round(opacity)} transform={transform}>
          <Sketch done={ease(at, start + 0.3, 2.8)}>{drawing}</Sketch>
        </g>
      )
    );
  });
}
