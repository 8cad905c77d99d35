/** The words in the head of each page in Spanish: titles, and what a shared link shows. */
import type { HeadWords } from '../en/head.ts';

export const head: HeadWords = {
  headline: 'Muchos datos. Un solo camino.',
  description:
    'Atrofia muscular espinal (AME): reúna en un espacio privado sus expedientes médicos de distintos centros.',
  illness: 'Atrofia muscular espinal (AME)',
  shared:
    'Reúna en un espacio privado sus expedientes médicos de distintos centros. Vea qué dicen en conjunto y, si quiere, ayude a la investigación.',
  shareImageAlt: 'Muchos hilos sueltos llegan a un solo camino.',
  locale: 'es_US',
  titles: {
    '/': 'Atrofia muscular espinal: sus expedientes, en un solo camino',
    '/registered': 'Su inscripción está hecha',
    '/not-registered': 'Error: hay un problema',
    '/create-account': 'Este sitio aún no tiene portal',
  },
  notFound: '404: página no encontrada',
};
