/** The words of /help/questions/ in English. */
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';

export const questions = (_site: Site, _facts: Facts) =>
  ({
    title: 'Twelve questions',
    lead: 'Twelve questions that families ask, with one plain answer each.',
  }) satisfies HelpWords;
