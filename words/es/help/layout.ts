/** The words that every help page shares in Spanish. */
import type { ReactNode } from 'react';
import type { Facts, Site } from '#site.config.ts';
import type { layout as english } from '../../en/help/layout.ts';
import { withFacts } from '../../facts-in.ts';

export const layout = (site: Site, facts: Facts): ReturnType<typeof english> => ({
  contents: 'En esta página',
  more: 'Todas las respuestas',
  next: 'Siguiente:',
  home: 'Página de inicio',
  closing: {
    title: 'Si quiere participar',
    text: [
      `El botón abre ${site.partnerName}, nuestro socio. Allí crea usted su cuenta.`,
      facts.signUpMinutes !== null && `Toma unos ${facts.signUpMinutes} minutos.`,
      facts.cost === 'free' && 'Participar es gratis.',
    ]
      .filter(Boolean)
      .join(' '),
  },
  cliniciansClosing: {
    title: 'Para las personas que usted atiende',
    text: `Este es el botón que ellas pulsan. Abre ${site.partnerName}, nuestro socio. Allí crea cada una su propia cuenta.`,
  },
  privacyPolicy: `Política de privacidad de ${site.partnerName}`,
  terms: `Términos de  ${site.partnerName}`,
  otherLanguage: 'This page in English',
  reviewed: reviewedText(facts),
});

/** @returns null if no day of a review is set */
function reviewedText({ reviewedOn, reviewer }: Facts): ReactNode {
  if (reviewedOn === null) return null;
  const day = new Intl.DateTimeFormat('es', { dateStyle: 'long', timeZone: 'UTC' });
  const by = reviewer === null ? '' : withFacts`, por ${reviewer}`;
  return withFacts`Última revisión: ${day.format(new Date(reviewedOn))}${by}.`;
}
