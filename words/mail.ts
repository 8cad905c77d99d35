/** The words of the mail after a registration in every language. The server reads them, so they do not depend on the page's build. */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Language } from '#contract/language.ts';
import { mail as en, type MailWords } from './en/mail.ts';
import { mail as es } from './es/mail.ts';

export const MAIL: Record<Language, (facts: BuiltSite['mail']) => MailWords> = { en, es };
