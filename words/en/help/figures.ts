/** The drawing at the top of each help page, with the words that tie it to the page's main message, in English. */
import type { HelpPageName } from '../../help-paths.ts';
import type { HelpDrawing } from './easy.tsx';

/** The easy-read page has a drawing for each idea. */
export type HelpFigures = Record<
  Exclude<HelpPageName, 'easy'>,
  { drawing: HelpDrawing; caption: string }
>;

export const figures: HelpFigures = {
  hub: { drawing: 'choice', caption: 'Both ways are open: to join, or not to join.' },
  questions: { drawing: 'key', caption: 'You decide what to open, and what stays closed.' },
  who: { drawing: 'door', caption: 'This site leads you to the door. Our partner opens it.' },
  next: { drawing: 'phone', caption: 'One press opens a new tab. Then you set the pace.' },
  privacy: { drawing: 'stop', caption: 'You can turn our counting off.' },
  accessibility: {
    drawing: 'mount',
    caption: 'A phone on the arm of a power chair. This site must work there too.',
  },
  film: { drawing: 'together', caption: 'You can watch the film, or read it at your own pace.' },
  clinicians: { drawing: 'letter', caption: 'A page on paper can be read at home, in peace.' },
};
