/** The words of /help/accessibility/ in English. */
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';

export const accessibility = (_site: Site, _facts: Facts) =>
  ({
    title: 'Accessibility',
    lead: 'How we test this site, and what does not work yet.',
  }) satisfies HelpWords;
