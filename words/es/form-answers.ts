/** The words of the pages that answer a form without script in Spanish. */
import type { FormAnswerWords } from '../en/form-answers.ts';

export const formAnswers: FormAnswerWords = {
  goBack: 'Pulse el botón “Atrás” de su navegador. El formulario aún tiene lo que escribió.',
  emptyForm: 'Abrir un formulario vacío',
};
