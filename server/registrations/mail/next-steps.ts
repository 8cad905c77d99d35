/**
 * The text of the mail after a registration. It contains no visitor's input: the address is unproven, and the form must not
 * send anyone's words to strangers. Subject and sender, which are visible without opening the mail, do not name the illness.
 */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { withArticle } from '#contract/with-article.ts';

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

const SUBJECT = 'Your registration: next steps';

export function nextSteps(facts: BuiltSite['mail']): MailText {
  return { subject: SUBJECT, text: asText(facts), html: asHtml(facts) };
}

const asText = ({ productName, partnerName, signUpUrl, contactEmail, privacyUrl }: Facts) => `Hello,

welcome to ${withArticle(productName)}. These are your next steps.

1. Create your account with ${partnerName}:
   ${signUpUrl}
2. Connect your health records, one provider after the other.
3. See them together in one private place, and choose what you share with research.

You did not register, or want to be forgotten? Write to ${contactEmail}: we delete your entry.
How we treat your data: ${privacyUrl}
`;

type Facts = BuiltSite['mail'];

/** Plain elements for screen readers, without images. Contrast: text 16:1, links 8:1. */
const asHtml = (facts: Facts) => {
  const { productName, partnerName, signUpUrl, contactEmail, privacyUrl } = escaped(facts);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${SUBJECT}</title>
</head>
<body style="margin:0;background:#ffffff;color:#1c1930;font-family:Verdana,Arial,sans-serif;font-size:17px;line-height:1.6">
<main style="max-width:36em;margin:0 auto;padding:24px">
<h1 style="font-size:26px;line-height:1.3">Welcome to ${withArticle(productName)}</h1>
<p>Hello, these are your next steps.</p>
<ol>
<li style="margin-bottom:12px"><a href="${signUpUrl}" style="color:#1b3f94">Create your account with ${partnerName}</a>.</li>
<li style="margin-bottom:12px">Connect your health records, one provider after the other.</li>
<li style="margin-bottom:12px">See them together in one private place, and choose what you share with research.</li>
</ol>
<p>You did not register, or want to be forgotten? Write to <a href="mailto:${contactEmail}" style="color:#1b3f94">${contactEmail}</a>: we delete your entry.</p>
<p><a href="${privacyUrl}" style="color:#1b3f94">How we treat your data</a></p>
</main>
</body>
</html>
`;
};

const escaped = (facts: Facts): Facts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, text]) => [name, escapeHtml(text)]),
  ) as Facts;

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
