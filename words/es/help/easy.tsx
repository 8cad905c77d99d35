/** The words of /help/easy/ in Spanish. */
import type { Facts, Site } from '#site.config.ts';
import type { easy as english } from '../../en/help/easy.tsx';

export const easy = (_site: Site, _facts: Facts): ReturnType<typeof english> => ({
  title: 'Lectura fácil',
  lead: 'Lo principal en frases cortas, con dibujos.',
});
