/** The words of the portal's stand-in in Spanish. */
import type { Site } from '#site.config.ts';
import type { StandInWords } from '../en/stand-in.ts';

export const standIn = ({ partnerName }: Site): StandInWords => ({
  pages: {
    account: `Más adelante se abrirá aquí el portal de ${partnerName}. Allí creará usted su cuenta.`,
    privacy: `Más adelante se abrirá aquí la política de privacidad de ${partnerName}.`,
    terms: `Más adelante se abrirán aquí los términos de ${partnerName}.`,
  },
  close: 'Aquí no hay nada que llenar ni que esperar. Puede volver atrás o cerrar esta pestaña.',
  code: 'Código de invitación:',
  ref: 'Código del enlace que usted siguió:',
  operator:
    'Para quien administra este sitio: site.json no nombra un portal. Defina allí portalHost, privacyUrl y termsUrl. Después, compile el sitio otra vez.',
});
