/** The words of /help/privacy/ in English. */
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';

export const privacy = (_site: Site, _facts: Facts) =>
  ({
    title: 'What this site records',
    lead: 'What this site itself records, and how to stop it.',
  }) satisfies HelpWords;
