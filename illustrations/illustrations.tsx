/** The small drawings of the sections. tools/drawings/make-illustrations.ts turns each into files that load near the view. */
import type { ReactElement } from 'react';
import {
  ChoiceDrawing,
  KeyDrawing,
  LetterDrawing,
  RecordsDrawing,
  StopDrawing,
  StudyDrawing,
  TogetherDrawing,
} from './scenes-easy.tsx';
import { ClinicDrawing, DoorDrawing, MountDrawing, PhoneDrawing } from './scenes-help.tsx';
import { BenefitsDrawing, ClosingDrawing } from './scenes-later.tsx';
import { LostDrawing, PrivacyDrawing, ProblemDrawing } from './scenes-middle.tsx';
import { ConnectDrawing, ResearchDrawing, WatchDrawing } from './scenes-steps.tsx';

export interface Illustration {
  width: number;
  height: number;
  /** The ground below the drawing: the privacy band is dark in both schemes. */
  ground: 'paper' | 'band';
  Drawing: () => ReactElement;
}

const illustration = (
  width: number,
  height: number,
  Drawing: Illustration['Drawing'],
  ground: Illustration['ground'] = 'paper',
) => ({
  width,
  height,
  ground,
  Drawing,
});

export const ILLUSTRATIONS = {
  problem: illustration(440, 380, ProblemDrawing),
  connect: illustration(260, 190, ConnectDrawing),
  research: illustration(320, 210, ResearchDrawing),
  watch: illustration(440, 250, WatchDrawing),
  benefits: illustration(440, 300, BenefitsDrawing),
  privacy: illustration(400, 300, PrivacyDrawing, 'band'),
  closing: illustration(760, 360, ClosingDrawing),
  lost: illustration(520, 360, LostDrawing),
  together: illustration(260, 200, TogetherDrawing),
  records: illustration(260, 200, RecordsDrawing),
  mount: illustration(260, 200, MountDrawing),
  study: illustration(260, 200, StudyDrawing),
  choice: illustration(260, 200, ChoiceDrawing),
  key: illustration(260, 200, KeyDrawing),
  phone: illustration(260, 200, PhoneDrawing),
  stop: illustration(260, 200, StopDrawing),
  door: illustration(260, 200, DoorDrawing),
  clinic: illustration(260, 200, ClinicDrawing),
  letter: illustration(260, 200, LetterDrawing),
} satisfies Record<string, Illustration>;

export type IllustrationName = keyof typeof ILLUSTRATIONS;
