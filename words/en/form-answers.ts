/** The words of the pages that answer a form without script in English, in addition to the form's own. */
export const formAnswers = {
  goBack: 'Go back in your browser: what you typed is still there.',
};

export type FormAnswerWords = typeof formAnswers;
