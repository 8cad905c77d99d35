/** The words of the tools at the end of each help page in English. Neutral, because a message must not reveal a diagnosis. */
export const tools = {
  send: 'Send this page to someone',
  mail: 'Write an email',
  subject: 'A page to read',
};
