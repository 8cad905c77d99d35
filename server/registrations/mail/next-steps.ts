/**
 * The text of the mail after a registration. It contains no visitor's input: the address is unproven, and the form must not
 * send anyone's words to strangers. Subject and sender, which are visible without opening the mail, do not name the illness.
 */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Language } from '#contract/language.ts';
import { MAIL } from '#words/mail.ts';
import { escapeHtml } from '../../text/escape-html.ts';

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

type Facts = BuiltSite['mail'];

export function nextSteps(facts: Facts, language: Language): MailText {
  const { subject } = MAIL[language](facts);
  return { subject, text: asText(facts, language), html: asHtml(escaped(facts), language) };
}

function asText(facts: Facts, language: Language): string {
  const words = MAIL[language](facts);
  return `${words.greeting}

${words.opening}

1. ${words.account}:
   ${facts.signUpUrl}
2. ${words.connect}
3. ${words.share}

${words.forget(facts.contactEmail)}
${words.privacy}: ${facts.privacyUrl}
`;
}

/** Plain elements for screen readers, without images. Contrast: text 16:1, links 8:1. @param facts escaped for HTML */
function asHtml(facts: Facts, language: Language): string {
  const words = MAIL[language](facts);
  const { signUpUrl, contactEmail, privacyUrl } = facts;
  const address = `<a href="mailto:${contactEmail}" style="color:#1b3f94">${contactEmail}</a>`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.subject}</title>
</head>
<body style="margin:0;background:#ffffff;color:#1c1930;font-family:Verdana,Arial,sans-serif;font-size:17px;line-height:1.6">
<main style="max-width:36em;margin:0 auto;padding:24px">
<h1 style="font-size:26px;line-height:1.3">${words.heading}</h1>
<p>${words.intro}</p>
<ol>
<li style="margin-bottom:12px"><a href="${signUpUrl}" style="color:#1b3f94">${words.account}</a>.</li>
<li style="margin-bottom:12px">${words.connect}</li>
<li style="margin-bottom:12px">${words.share}</li>
</ol>
<p>${words.forget(address)}</p>
<p><a href="${privacyUrl}" style="color:#1b3f94">${words.privacy}</a></p>
</main>
</body>
</html>
`;
}

const escaped = (facts: Facts): Facts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, text]) => [name, escapeHtml(text)]),
  ) as Facts;
