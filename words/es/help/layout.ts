/** The words that every help page shares in Spanish. */
import type { Site } from '#site.config.ts';
import type { HelpLayout } from '../../en/help/layout.ts';

export const helpLayout = ({ partnerName }: Site): HelpLayout => ({
  more: 'Todas las respuestas',
  next: 'Siguiente:',
  home: 'Página de inicio',
  closing: {
    title: 'Si quiere participar',
    text: `El botón abre ${partnerName}, nuestro socio. Allí crea usted su cuenta. Toma unos 10 minutos. Participar es gratis.`,
  },
  cliniciansClosing: {
    title: 'Para las personas que usted atiende',
    text: `Este es el botón que ellas pulsan. Abre ${partnerName}, nuestro socio. Allí crea cada una su propia cuenta.`,
  },
  optOut: 'Cómo desactivar el conteo',
  privacyPolicy: `Política de privacidad de ${partnerName}`,
  terms: `Términos de ${partnerName}`,
  reviewed: (date) =>
    `Última revisión: ${date}, por la Dra. Elena Marchetti, neuróloga pediátrica.`,
});
