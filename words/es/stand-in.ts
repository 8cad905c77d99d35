/** The words of the portal's stand-in in Spanish. */
import type { Site } from '#site.config.ts';
import type { StandInWords } from '../en/stand-in.ts';

export const standIn = ({ partnerName }: Site): StandInWords => ({
  pages: {
    account: `En esta pestaña se abrirá el portal de ${partnerName}. Allí creará usted su cuenta.`,
    privacy: `En esta pestaña se abrirá la política de privacidad de ${partnerName}.`,
    terms: `En esta pestaña se abrirán los términos de ${partnerName}.`,
  },
  close: 'Aquí no hay nada que llenar. Puede volver atrás o cerrar esta pestaña.',
  code: 'Código de invitación:',
  ref: 'Código del enlace que usted siguió:',
  operator:
    'Para quien administra este sitio: site.json no nombra un portal. Defina allí portalHost, privacyUrl y termsUrl. Después, compile el sitio otra vez.',
});
