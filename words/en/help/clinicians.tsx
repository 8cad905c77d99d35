/** The words of /help/clinicians/ in English. */
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';

export const clinicians = (_site: Site, _facts: Facts) =>
  ({
    title: 'For clinicians',
    lead: 'What to know before you tell a family about this.',
  }) satisfies HelpWords;
