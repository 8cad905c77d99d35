/** The words of /help/privacy/ in Spanish. */
import type { Facts, Site } from '#site.config.ts';
import type { privacy as english } from '../../en/help/privacy.tsx';

export const privacy = (_site: Site, _facts: Facts): ReturnType<typeof english> => ({
  title: 'Qué registra este sitio',
  lead: 'Qué registra este sitio y cómo evitarlo.',
});
