/** The words of the help pages in every language. */
import { facts, site } from 'virtual:site';
import type { ReactNode } from 'react';
import { accessibility as accessibilityEn } from './en/help/accessibility.tsx';
import { clinicians as cliniciansEn } from './en/help/clinicians.tsx';
import { easy as easyEn } from './en/help/easy.tsx';
import { figures as figuresEn } from './en/help/figures.ts';
import { film as filmEn } from './en/help/film.tsx';
import { hub as hubEn } from './en/help/hub.tsx';
import { layout as layoutEn } from './en/help/layout.ts';
import { next as nextEn } from './en/help/next.tsx';
import { privacy as privacyEn } from './en/help/privacy.tsx';
import { questions as questionsEn } from './en/help/questions.tsx';
import { tools as toolsEn } from './en/help/tools.ts';
import { who as whoEn } from './en/help/who.tsx';
import { accessibility as accessibilityEs } from './es/help/accessibility.tsx';
import { clinicians as cliniciansEs } from './es/help/clinicians.tsx';
import { easy as easyEs } from './es/help/easy.tsx';
import { figures as figuresEs } from './es/help/figures.ts';
import { film as filmEs } from './es/help/film.tsx';
import { hub as hubEs } from './es/help/hub.tsx';
import { layout as layoutEs } from './es/help/layout.ts';
import { next as nextEs } from './es/help/next.tsx';
import { privacy as privacyEs } from './es/help/privacy.tsx';
import { questions as questionsEs } from './es/help/questions.tsx';
import { tools as toolsEs } from './es/help/tools.ts';
import { who as whoEs } from './es/help/who.tsx';
import { factsIn } from './facts-in.ts';

export { ANSWERS, HELP_PATHS, type HelpPageName } from './help-paths.ts';

/** The words that every help page has. */
export interface HelpWords {
  /** The heading, and the document's title. At most eight words. */
  title: string;
  /** The page's main message in one or two sentences, also its description for search engines. */
  lead: string;
  /** Links to some of the sections, for a long page. */
  contents?: { section: string; text: string }[];
  /**
   * The answers in the order of the keys. A key is the anchor of its heading, the same in every language. Null: there is nothing
   * true to say, because a fact is not set.
   */
  sections?: Record<string, HelpSection | null>;
}

export interface HelpSection {
  /** At most eight words. */
  heading: string;
  /** Plain `<p> <ul> <ol> <dl> <a>` without classes; renderer/help.css styles them. */
  body: ReactNode;
}

/** The drawing at the top of each page. */
export const HELP_FIGURES = { en: figuresEn, es: figuresEs };

const inEnglish = factsIn(facts, 'en');
const inSpanish = factsIn(facts, 'es');

/** The words that every help page shares. */
export const HELP_LAYOUT = { en: layoutEn(site, inEnglish), es: layoutEs(site, inSpanish) };

export const HELP_TOOLS = { en: toolsEn, es: toolsEs };

export const HELP = {
  hub: { en: hubEn(site, inEnglish), es: hubEs(site, inSpanish) },
  questions: { en: questionsEn(site, inEnglish), es: questionsEs(site, inSpanish) },
  who: { en: whoEn(site, inEnglish), es: whoEs(site, inSpanish) },
  next: { en: nextEn(site, inEnglish), es: nextEs(site, inSpanish) },
  privacy: { en: privacyEn(site, inEnglish), es: privacyEs(site, inSpanish) },
  accessibility: { en: accessibilityEn(site, inEnglish), es: accessibilityEs(site, inSpanish) },
  clinicians: { en: cliniciansEn(site, inEnglish), es: cliniciansEs(site, inSpanish) },
  easy: { en: easyEn(site, inEnglish), es: easyEs(site, inSpanish) },
  film: { en: filmEn, es: filmEs },
};
