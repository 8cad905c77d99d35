/** The words of the help pages in every language. */
import { facts, site } from 'virtual:site';
import { accessibility as accessibilityEn } from './en/help/accessibility.tsx';
import { clinicians as cliniciansEn } from './en/help/clinicians.tsx';
import { easy as easyEn } from './en/help/easy.tsx';
import { hub as hubEn } from './en/help/hub.tsx';
import { next as nextEn } from './en/help/next.tsx';
import { privacy as privacyEn } from './en/help/privacy.tsx';
import { questions as questionsEn } from './en/help/questions.tsx';
import { who as whoEn } from './en/help/who.tsx';
import { accessibility as accessibilityEs } from './es/help/accessibility.tsx';
import { clinicians as cliniciansEs } from './es/help/clinicians.tsx';
import { easy as easyEs } from './es/help/easy.tsx';
import { hub as hubEs } from './es/help/hub.tsx';
import { next as nextEs } from './es/help/next.tsx';
import { privacy as privacyEs } from './es/help/privacy.tsx';
import { questions as questionsEs } from './es/help/questions.tsx';
import { who as whoEs } from './es/help/who.tsx';

export { HELP_PATHS, type HelpPageName } from './help-paths.ts';

/** The words that every help page has. */
export interface HelpWords {
  /** The heading, and the document's title. At most eight words. */
  title: string;
  /** The page's main message in one or two sentences, also its description for search engines. */
  lead: string;
}

export const HELP = {
  hub: { en: hubEn(site, facts), es: hubEs(site, facts) },
  questions: { en: questionsEn(site, facts), es: questionsEs(site, facts) },
  who: { en: whoEn(site, facts), es: whoEs(site, facts) },
  next: { en: nextEn(site, facts), es: nextEs(site, facts) },
  privacy: { en: privacyEn(site, facts), es: privacyEs(site, facts) },
  accessibility: { en: accessibilityEn(site, facts), es: accessibilityEs(site, facts) },
  clinicians: { en: cliniciansEn(site, facts), es: cliniciansEs(site, facts) },
  easy: { en: easyEn(site, facts), es: easyEs(site, facts) },
};
