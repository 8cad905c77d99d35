import type { ComponentProps } from 'react';
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
 * A link to the same page in the other language, by that language's own name.
 *
 * @param path of the page in English
 */
export function LanguageLink({ path }: { path: string }) {
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
      {otherLanguage}
    </a>
  );
}
