/** The words of /help/film/ in Spanish. */
import type { film as english } from '../../en/help/film.tsx';
import { filmScenes } from '../../film-scenes.tsx';
import { SPANISH_SCENES } from '../film-script.ts';

export const film: typeof english = {
  title: 'El video en palabras',
  lead: 'Este es el video de la página de inicio, escena por escena: lo que dice y lo que se ve.',
  watch: 'Ir al video',
  sections: filmScenes(
    SPANISH_SCENES,
    {
      scattered: 'Muchos expedientes',
      carried: 'Nadie ve todo',
      gathered: 'Un solo camino',
      connect: 'Reúna sus expedientes',
      insight: 'Reciba información pensada para usted',
      research: 'Impulse la investigación',
      privacy: 'Usted elige qué compartir',
      closing: '¿Quiere impulsar el cambio?',
    },
    'Imagen:',
  ),
};
