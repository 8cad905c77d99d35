import { LANGUAGES, pathIn } from '#contract/language.ts';
import { LANDING } from '#words/landing.ts';
import { useLanguage, useWords } from './language.tsx';

/** Leads to the same page in the other language, and says so in that language. @param path of the page in English */
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
