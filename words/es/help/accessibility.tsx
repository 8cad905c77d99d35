/** The words of /help/accessibility/ in Spanish. */
import type { Facts, Site } from '#site.config.ts';
import type { accessibility as english } from '../../en/help/accessibility.tsx';

export const accessibility = (_site: Site, _facts: Facts): ReturnType<typeof english> => ({
  title: 'Accesibilidad',
  lead: 'Cómo probamos este sitio y qué no funciona todavía.',
});
