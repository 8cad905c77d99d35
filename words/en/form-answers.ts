/** The words of the pages that answer a form without script in English, in addition to the form's own. */
export const formAnswers = {
  goBack: 'Press the Back button of your browser. The form still has what you typed.',
  emptyForm: 'Open an empty form',
};

export type FormAnswerWords = typeof formAnswers;
