/** The words of the tools at the end of each help page in Spanish. */
import type { tools as english } from '../../en/help/tools.ts';

export const tools: typeof english = {
  send: 'Envíe esta página a alguien',
  mail: 'Escribir un correo',
  subject: 'Una página para leer',
};
