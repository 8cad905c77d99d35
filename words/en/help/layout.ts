/** The words that every help page shares in English. */
import type { ReactNode } from 'react';
import type { Facts, Site } from '#site.config.ts';
import { withFacts } from '../../facts-in.ts';

export const layout = (site: Site, facts: Facts) => ({
  contents: 'On this page',
  more: 'All answers',
  /** Before the title of the next page. */
  next: 'Next:',
  home: 'Home page',
  closing: {
    title: 'If you want to join',
    text: [
      `The button opens ${site.partnerName}, our partner. You create your account there.`,
      facts.signUpMinutes !== null && `It takes about ${facts.signUpMinutes} minutes.`,
      facts.cost === 'free' && 'Joining is free.',
    ]
      .filter(Boolean)
      .join(' '),
  },
  /** On the page for clinicians, who must not sign anyone up. */
  cliniciansClosing: {
    title: 'For the people you care for',
    text: `This is the button that they press. It opens ${site.partnerName}, our partner. They create their own account there.`,
  },
  privacyPolicy: `Privacy policy of ${site.partnerName}`,
  terms: `Terms of ${site.partnerName}`,
  /** The link to the same page in Spanish, written in Spanish. */
  otherLanguage: 'Esta página en español',
  reviewed: reviewedText(facts),
});

/** @returns null if no day of a review is set */
function reviewedText({ reviewedOn, reviewer }: Facts): ReactNode {
  if (reviewedOn === null) return null;
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  const by = reviewer === null ? '' : withFacts` by ${reviewer}`;
  return withFacts`Last reviewed on ${day.format(new Date(reviewedOn))}${by}.`;
}
