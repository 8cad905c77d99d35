/** The words of /help/ in Spanish. */
import type { Facts, Site } from '#site.config.ts';
import type { hub as english } from '../../en/help/hub.tsx';

export const hub = (_site: Site, _facts: Facts): ReturnType<typeof english> => ({
  title: 'Preguntas y datos',
  lead: 'Respuestas cortas a lo que las familias preguntan antes de compartir datos de salud.',
});
