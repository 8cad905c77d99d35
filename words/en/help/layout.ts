/** The words that every help page shares in English. */
import type { Site } from '#site.config.ts';

export const helpLayout = ({ partnerName }: Site) => ({
  more: 'All answers',
  /** Before the title of the next page. */
  next: 'Next:',
  home: 'Home page',
  closing: {
    title: 'If you want to join',
    text: `The button opens ${partnerName}, our partner. You create your account there. It takes about 10 minutes. Joining is free.`,
  },
  /** On the page for clinicians, who must not sign anyone up. */
  cliniciansClosing: {
    title: 'For the people you care for',
    text: `This is the button that they press. It opens ${partnerName}, our partner. They create their own account there.`,
  },
  optOut: 'How to turn counting off',
  privacyPolicy: `Privacy policy of ${partnerName}`,
  terms: `Terms of ${partnerName}`,
  /** @param date in this language's words */
  reviewed: (date: string) =>
    `Last reviewed on ${date} by Dr. Elena Marchetti, pediatric neurologist.`,
});

export type HelpLayout = ReturnType<typeof helpLayout>;
