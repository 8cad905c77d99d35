/** The words of the registration form in the build `form`. */
import type { Language } from '#contract/language.ts';
import { readSiteConfig } from '#site.config.ts';
import { form as formEn } from '../../../words/en/form.ts';
import { form as formEs } from '../../../words/es/form.ts';
import { BUILDS } from '../../e2e/build-sites.ts';

const SITE = readSiteConfig(BUILDS.form);
export const WORDS = { en: formEn(SITE), es: formEs(SITE) };
/** The texts of the specification, and their translations. */
export const MESSAGES: Record<Language, string[]> = {
  en: [
    'First name must be at least 2 characters',
    'Last name must be at least 2 characters',
    'Please enter a valid email address',
    'You must agree to the terms and conditions',
  ],
  es: [
    'El nombre debe tener al menos 2 letras',
    'El apellido debe tener al menos 2 letras',
    'Escriba una dirección de correo electrónico válida',
    'Debe aceptar los términos y condiciones',
  ],
};
export const WELCOME = {
  en: 'Welcome to the SMA Data Drive!',
  es: '¡Le damos la bienvenida a SMA Data Drive!',
};
export const FALLBACK = {
  en: 'Something went wrong. Please try again.',
  es: 'Algo salió mal. Intente de nuevo.',
};
