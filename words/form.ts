/** The words of the registration form and of its answers in every language, for the prerendered pages. */
import { site } from 'virtual:site';
import type { Language } from '#contract/language.ts';
import { form as en, type FormWords } from './en/form.ts';
import { formAnswers as answersEn, type FormAnswerWords } from './en/form-answers.ts';
import { form as es } from './es/form.ts';
import { formAnswers as answersEs } from './es/form-answers.ts';

export const FORM: Record<Language, FormWords> = { en: en(site), es: es(site) };
export const FORM_ANSWERS: Record<Language, FormAnswerWords> = { en: answersEn, es: answersEs };
