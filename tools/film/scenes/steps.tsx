/** Scenes 4 to 6: three stops beside the road. */
import type { ReactNode } from 'react';
import { ConnectArt, InsightArt, ResearchArt } from '#illustrations/scenes-steps.tsx';
import type { SceneName } from '#pages/index/film-script.ts';
import { ease, inAndOut } from '../ease.ts';
import { round, Sketch } from '../sketch.tsx';

interface Stop {
  scene: SceneName;
  transform: string;
  art: ReactNode;
}

const STOPS: Stop[] = [
  { scene: 'connect', transform: 'translate(424 52) scale(1.34)', art: <ConnectArt /> },
  { scene: 'insight', transform: 'translate(446 42) scale(1.34)', art: <InsightArt /> },
  { scene: 'research', transform: 'translate(408 60) scale(1.12)', art: <ResearchArt /> },
];

export function Steps({
  at,
  sceneAt,
}: {
  at: number;
  sceneAt: (name: SceneName) => { start: number; end: number };
}) {
  return STOPS.map(({ scene, transform, art }) => {
    const { start, end } = sceneAt(scene);
    const opacity = inAndOut(at, start, end);
    return (
      opacity > 0 && (
        <g key={scene} opacity={round(opacity)} transform={transform}>
          <Sketch done={ease(at, start + 0.3, 2.8)}>{art}</Sketch>
        </g>
      )
    );
  });
}
