/** The words of /help/ in English. */
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';

export const hub = (_site: Site, _facts: Facts) =>
  ({
    title: 'Questions and facts',
    lead: 'Short answers to what families ask before they share health data.',
  }) satisfies HelpWords;
