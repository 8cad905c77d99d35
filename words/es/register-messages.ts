/**
 * The messages about a registration's fields in Spanish. The English ones are part of the contract.
 */
import {
  NAME_MAX,
  NAME_MIN,
  type RegisterMessages,
  SMA_TYPE_MAX,
} from '#contract/register-messages.ts';

export const registerMessages: RegisterMessages = {
  firstNameShort: `El nombre debe tener al menos ${NAME_MIN} letras`,
  firstNameLong: `El nombre debe tener como máximo ${NAME_MAX} letras`,
  lastNameShort: `El apellido debe tener al menos ${NAME_MIN} letras`,
  lastNameLong: `El apellido debe tener como máximo ${NAME_MAX} letras`,
  email: 'Escriba una dirección de correo electrónico válida',
  smaTypeLong: `El tipo de AME debe tener como máximo ${SMA_TYPE_MAX} letras`,
  agreedToTerms: 'Debe aceptar los términos y condiciones',
  trap: 'Deje vacío el campo “Mensaje”: está ahí para detener a los robots',
};
