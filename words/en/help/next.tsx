/** The words of /help/next/ in English. */
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';

export const next = (_site: Site, _facts: Facts) =>
  ({
    title: 'What happens next',
    lead: 'What happens after you press the button.',
  }) satisfies HelpWords;
