/** The words of /help/easy/ in English. */
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';

export const easy = (_site: Site, _facts: Facts) =>
  ({
    title: 'Easy read',
    lead: 'The main points in short sentences, with drawings.',
  }) satisfies HelpWords;
