import type { ComponentProps, ReactNode } from 'react';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { LANDING } from '#words/index.ts';
import { useLanguage, useWords } from './language.tsx';

/** A link to a page of this site, in the style of a secondary button. */
export const QuietLink = (link: ComponentProps<'a'>) => <a className="quiet" {...link} />;

/** A link that opens a new tab, and says so in words instead of an icon. */
export function NewTabLink({ href, children }: { href: string; children: string }) {
  const { newTab } = useWords(LANDING);
  return (
    <a className="inline-block py-2" href={href} target="_blank" rel="noopener">
      {children} <span>{newTab}</span>
    </a>
  );
}

/**
 * A link to the same page in the other language.
 *
 * @param path of the page in English
 * @param children the link's text in the other language. By default, the name of that language
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
