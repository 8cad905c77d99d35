import type { ComponentProps, ReactNode } from 'react';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { LANDING } from '#words/index.ts';
import { useLanguage, useWords } from './language.tsx';

/** A secondary action within the site. */
export const QuietLink = (link: ComponentProps<'a'>) => <a className="quiet" {...link} />;

/**
 * A link to another site. It says so in words, not with an icon, and is high enough for one finger.
 */
export function NewTabLink({ href, children }: { href: string; children: string }) {
  const { newTab } = useWords(LANDING);
  return (
    <a className="inline-block py-2" href={href} target="_blank" rel="noopener">
      {children} <span>{newTab}</span>
    </a>
  );
}

/**
 * Leads to the same page in the other language, and says so in that language.
 *
 * @param path of the page in English
 * @param children the words in that language; absent: its name
 */
export function LanguageLink({ path, children }: { path: string; children?: ReactNode }) {
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
