/** The words in the head of each page in Spanish: titles, and what a shared link shows. */
import type { HeadWords } from '../en/head.ts';

export const head: HeadWords = {
  headline: 'Muchos datos. Un solo camino.',
  description:
    'Reúna en un espacio privado sus expedientes médicos de distintos centros. Vea qué dicen en conjunto y, si quiere, ayude a la investigación.',
  shareImageAlt: 'Un grupo de personas avanza por un camino al que llegan muchos hilos sueltos.',
  locale: 'es_US',
  titles: {
    '/': 'Sus expedientes médicos, en un solo camino',
    '/registered': 'Su inscripción está hecha',
    '/not-registered': 'Error: hay un problema',
    '/create-account': 'Este sitio aún no tiene portal',
  },
  notFound: '404: página no encontrada',
};
