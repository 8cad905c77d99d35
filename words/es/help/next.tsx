/** The words of /help/next/ in Spanish. */
import type { Facts, Site } from '#site.config.ts';
import type { next as english } from '../../en/help/next.tsx';

export const next = (_site: Site, _facts: Facts): ReturnType<typeof english> => ({
  title: 'Qué pasa después',
  lead: 'Qué pasa después de pulsar el botón.',
});
