import type { ReactNode } from 'react';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { LANDING } from '#words/index.ts';
import { useLanguage, useWords } from './language.tsx';

interface Props {
  /** The path of the page in English. */
  path: string;
  /** The words in that language; absent: its name. */
  children?: ReactNode;
}

/** Leads to the same page in the other language, and says so in that language. */
export function LanguageLink({ path, children }: Props) {
  const language = useLanguage();
  const { otherLanguage } = useWords(LANDING);
  const other = LANGUAGES.find((each) => each !== language) ?? language;
  return (
    <a
      className="inline-flex min-h-11 items-center print:hidden"
      href={pathIn(other, path)}
      lang={other}
      hrefLang={other}
    >
      {children ?? otherLanguage}
    </a>
  );
}
