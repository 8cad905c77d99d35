/** The words of /help/questions/ in Spanish. */
import type { Facts, Site } from '#site.config.ts';
import type { questions as english } from '../../en/help/questions.tsx';

export const questions = (_site: Site, _facts: Facts): ReturnType<typeof english> => ({
  title: 'Doce preguntas',
  lead: 'Doce preguntas de las familias, cada una con una respuesta clara.',
});
