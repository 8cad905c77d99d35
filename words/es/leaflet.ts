/** The words that only the leaflet has, in Spanish. */
import type { Site } from '#site.config.ts';
import type { leaflet as english } from '../en/leaflet.ts';

export const leaflet = (site: Site): ReturnType<typeof english> => ({
  scan: 'Apunte al cuadro con la cámara del teléfono',
  type: 'O escriba esta dirección:',
  code: 'Código QR',
  signUp: `La cuenta se abre con ${site.partnerName}, nuestro socio.`,
  control: 'Usted decide qué comparte, y puede borrar su cuenta en cualquier momento. ¿Preguntas?',
});
