/** The small drawings beside the sections. tools/drawings/make-illustrations.ts turns each into files that load when they are near. */
import type { ReactElement } from 'react';
import { BenefitsArt, ClosingArt } from './scenes-later.tsx';
import { LostArt, PrivacyArt, ProblemArt } from './scenes-middle.tsx';
import { ConnectArt, InsightArt, ResearchArt } from './scenes-steps.tsx';

export interface Spot {
  width: number;
  height: number;
  /** What it is drawn on: the privacy band is dark in both schemes. */
  ground: 'paper' | 'band';
  Art: () => ReactElement;
}

const spot = (
  width: number,
  height: number,
  Art: Spot['Art'],
  ground: Spot['ground'] = 'paper',
) => ({
  width,
  height,
  ground,
  Art,
});

export const SPOTS = {
  problem: spot(440, 380, ProblemArt),
  connect: spot(260, 190, ConnectArt),
  insight: spot(260, 190, InsightArt),
  research: spot(320, 210, ResearchArt),
  benefits: spot(380, 300, BenefitsArt),
  privacy: spot(300, 300, PrivacyArt, 'band'),
  closing: spot(760, 360, ClosingArt),
  lost: spot(520, 360, LostArt),
} satisfies Record<string, Spot>;

export type SpotName = keyof typeof SPOTS;
