/** The words of /help/ in English. */
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';
import { Contact } from './contact.tsx';

export const hub = (site: Site, facts: Facts) =>
  ({
    title: 'Questions and facts',
    lead: 'Sharing health records is your choice. Read first, so that you know what you agree to. Come back whenever you want.',
    first: [
      { to: '/help/questions/#cost', text: 'What it costs' },
      { to: '/help/privacy/', text: 'Your data' },
      { to: '/help/questions/#eligibility', text: 'Joining for a child' },
    ],
    sections: { contact: { heading: 'Ask us', body: <Contact site={site} facts={facts} /> } },
  }) satisfies HelpWords & { first: { to: string; text: string }[] };
