/** The words of /help/who/ in Spanish. */
import type { Facts, Site } from '#site.config.ts';
import type { who as english } from '../../en/help/who.tsx';

export const who = (_site: Site, _facts: Facts): ReturnType<typeof english> => ({
  title: 'Quién está detrás',
  lead: 'Quién lleva este sitio y quién lo paga.',
});
