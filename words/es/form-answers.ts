/** The words of the pages that answer a form without script in Spanish. */
import type { FormAnswerWords } from '../en/form-answers.ts';

export const formAnswers: FormAnswerWords = {
  goBack: 'Vuelva atrás en su navegador: lo que escribió sigue ahí.',
};
