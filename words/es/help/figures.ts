/** The words below the drawing at the top of each help page in Spanish. */
import { figures as english, type HelpFigures } from '../../en/help/figures.ts';

export const figures: HelpFigures = {
  hub: { ...english.hub, caption: 'Ambos caminos están abiertos: participar o no.' },
  questions: { ...english.questions, caption: 'Usted decide qué se abre y qué queda cerrado.' },
  who: { ...english.who, caption: 'Este sitio le lleva a la puerta. Nuestro socio la abre.' },
  next: { ...english.next, caption: 'Un toque abre otra pestaña. Después, usted marca el ritmo.' },
  privacy: { ...english.privacy, caption: 'Puede desactivar el conteo.' },
  accessibility: {
    ...english.accessibility,
    caption:
      'Un teléfono en el brazo de una silla de ruedas eléctrica. El sitio debe servir también allí.',
  },
  film: { ...english.film, caption: 'Puede ver el video, o leerlo con calma.' },
  clinicians: {
    ...english.clinicians,
    caption: 'Una hoja en papel se puede leer en casa, con calma.',
  },
};
