/** The words of the registration form and of its answers in every language. */
import { site } from 'virtual:site';
import type { Language } from '#contract/language.ts';
import { form as en, type FormWords } from './en/form.ts';
import { form as es } from './es/form.ts';

export const FORM: Record<Language, FormWords> = { en: en(site), es: es(site) };
