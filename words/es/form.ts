/** The words of the registration form in Spanish. */
import type { Site } from '#site.config.ts';
import type { FormWords } from '../en/form.ts';
import { registerMessages } from './register-messages.ts';

export const form = (site: Site): FormWords => ({
  title: 'O reciba los próximos pasos por correo',
  purpose: `El botón “Unirme a la iniciativa” abre el sitio de ${site.partnerName}, donde usted crea su cuenta. Este formulario no crea ninguna. Nos llega a nosotros, y le enviamos por correo los próximos pasos. Los términos de abajo son los de su cuenta allí.`,
  firstName: 'Nombre',
  lastName: 'Apellido',
  email: 'Correo electrónico',
  didYouMean: (domain) => `¿Quiso decir ${domain}?`,
  takeDomain: (domain) => `Sí, usar ${domain}`,
  keepDomain: 'No, dejar mi dirección',
  trap: 'Mensaje (deje vacío este campo)',
  smaType: 'Tipo de AME (opcional)',
  smaTypes: {
    'Type 1': 'Tipo 1',
    'Type 2': 'Tipo 2',
    'Type 3': 'Tipo 3',
    'Type 4': 'Tipo 4',
    Other: 'Otro',
    '': 'Prefiero no decirlo',
  },
  terms: `Leer los términos y condiciones de ${site.partnerName}`,
  entries:
    'Guardamos cifrado lo que escribe, lo usamos solo para enviarle un correo y lo borramos cuando usted lo pida.',
  more: 'Qué guarda este sitio',
  newTab: '(se abre en otra pestaña)',
  agree: 'Acepto los términos y condiciones',
  register: 'Inscribirme',
  sending: 'Enviando…',
  error: 'Error:',
  problem: 'Hay un problema',
  messages: registerMessages,
  fallback: 'Algo salió mal. Intente de nuevo.',
  failed: 'No se pudo completar la inscripción',
  tryAgain: 'Reintentar',
  successful: {
    title: '¡Inscripción completada!',
    description: `Le damos la bienvenida a ${site.productName}. Busque en su correo los próximos pasos.`,
  },
  welcome: `¡Le damos la bienvenida a ${site.productName}!`,
  mailFollows:
    'Le llegará un correo electrónico con los próximos pasos. Búsquelo en su bandeja de entrada o en el correo no deseado.',
});
