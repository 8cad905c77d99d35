/** The words of /help/who/ in English. */
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';

export const who = (_site: Site, _facts: Facts) =>
  ({
    title: 'Who is behind this',
    lead: 'Who runs this site, and who pays for it.',
  }) satisfies HelpWords;
