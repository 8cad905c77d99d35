/** The words of /help/film/ in English. */
import { filmScenes } from '../../film-scenes.tsx';
import type { HelpWords } from '../../help.ts';
import { SCENES } from '../film-script.ts';

export const film = {
  title: 'The film in words',
  lead: 'This is the film on the home page, scene by scene: what it says, and what you would see.',
  watch: 'Go to the film',
  sections: filmScenes(
    SCENES,
    {
      scattered: 'Many records',
      carried: 'No one sees it all',
      gathered: 'One road forward',
      connect: 'Connect your records',
      insight: 'Get personalized insights',
      research: 'Drive research forward',
      privacy: 'You choose what to share',
      closing: 'Ready to drive change?',
    },
    'Picture:',
  ),
} satisfies HelpWords & { watch: string };
