import { site } from 'virtual:site';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { HELP_LAYOUT, HELP_PATHS, type HelpPageName } from '#words/help.ts';
import { LANDING } from '#words/landing.ts';
import { useLanguage, useWords } from '../language.tsx';
import { NewTabLink } from '../new-tab-link.tsx';
import { ReadOn } from './read-on.tsx';
import { HelpTools } from './tools.tsx';

export function HelpFooter({ page }: { page: HelpPageName }) {
  const language = useLanguage();
  const { footer } = useWords(LANDING);
  const { privacyPolicy, terms, reviewed } = useWords(HELP_LAYOUT);
  return (
    <footer className="mx-auto grid w-page gap-8 py-12 lg:pl-rail lg:grid-cols-[5fr_7fr] lg:gap-12">
      <ReadOn page={page} />
      <HelpTools page={page} />
      <ul className="grid content-start justify-items-start gap-2">
        <li>
          <NewTabLink href={site.privacyUrl}>{privacyPolicy}</NewTabLink>
        </li>
        <li>
          <NewTabLink href={site.termsUrl}>{terms}</NewTabLink>
        </li>
        <li className="print:hidden">
          <OtherLanguage page={page} />
        </li>
      </ul>
      <div className="grid content-start gap-2 py-2 text-small text-ink-2">
        {reviewed && <p>{reviewed}</p>}
        <p>{footer.copyright}</p>
        {/* On paper, the reader must be able to find the page again. */}
        <p className="hidden print:block">{site.siteUrl + pathIn(language, HELP_PATHS[page])}</p>
      </div>
    </footer>
  );
}

function OtherLanguage({ page }: { page: HelpPageName }) {
  const language = useLanguage();
  const { otherLanguage } = useWords(HELP_LAYOUT);
  const other = LANGUAGES.find((each) => each !== language) ?? language;
  return (
    <a
      className="inline-block py-2"
      href={pathIn(other, HELP_PATHS[page])}
      lang={other}
      hrefLang={other}
    >
      {otherLanguage}
    </a>
  );
}
