/** The words of the tools at the end of each help page in English. Neutral, because a message must not reveal a diagnosis. */
export const tools = {
  /** Above the tools that send the page. */
  send: 'Send this page to someone',
  share: 'Share this page',
  copy: 'Copy the link',
  mail: 'Write an email',
  subject: 'A page to read',
  copied: 'The link is copied.',
  notCopied: 'Your browser did not copy the link. It is:',
};
