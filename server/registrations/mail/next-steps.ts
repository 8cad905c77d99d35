/**
 * The text of the mail after a registration. It contains no visitor's input: the address is unproven, and the form must not
 * send anyone's words to strangers. Subject and sender, which are visible without opening the mail, do not name the illness.
 * It is plain text, which every mail program and screen reader shows at the reader's own size.
 */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { mail as english, type MailWords } from '#words/en/mail.ts';
import { mail as spanish } from '#words/es/mail.ts';

/** The server reads these words, so they do not depend on the page's build. */
export const nextSteps = (facts: BuiltSite['mail']) => ({
  en: mailOf(english(facts), facts),
  es: mailOf(spanish(facts), facts),
});

function mailOf(words: MailWords, facts: BuiltSite['mail']) {
  const text = `${words.greeting}

${words.opening}

1. ${words.account}:
   ${facts.signUpUrl}
2. ${words.connect}
3. ${words.share}

${words.forget(facts.contactEmail)}
${words.privacy}: ${facts.privacyUrl}
`;
  return { subject: words.subject, text };
}
