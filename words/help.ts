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

/** The words that every help page shares. */
export const HELP_LAYOUT = { en: layoutEn(site, facts), es: layoutEs(site, facts) };

export const HELP_TOOLS = { en: toolsEn, es: toolsEs };

export const HELP = {
  hub: { en: hubEn(site, facts), es: hubEs(site, facts) },
  questions: { en: questionsEn(site, facts), es: questionsEs(site, facts) },
  who: { en: whoEn(site, facts), es: whoEs(site, facts) },
  next: { en: nextEn(site, facts), es: nextEs(site, facts) },
  privacy: { en: privacyEn(site, facts), es: privacyEs(site, facts) },
  accessibility: { en: accessibilityEn(site, facts), es: accessibilityEs(site, facts) },
  clinicians: { en: cliniciansEn(site, facts), es: cliniciansEs(site, facts) },
  easy: { en: easyEn(site, facts), es: easyEs(site, facts) },
  film: { en: filmEn(site), es: filmEs(site) },
};
