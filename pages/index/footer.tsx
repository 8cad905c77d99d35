import { site } from 'virtual:site';
import { Island } from '#components/island.tsx';
import { OptOut } from '#components/islands/opt-out.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { NewTabLink, QuietLink } from '#components/links.tsx';
import { LANDING } from '#words/index.ts';

/** The sections that the footer links to, each with the name of its words. */
const LINKS = [
  ['about', 'about'],
  ['how-it-works', 'howItWorks'],
  ['benefits', 'benefits'],
  ['register', 'register'],
] as const;

export function Footer() {
  const { footer } = useWords(LANDING);
  const path = usePath();
  return (
    <footer className="mx-auto grid w-page gap-8 pt-14 pb-8 lg:grid-cols-[38%_1fr] lg:gap-x-0">
      <nav aria-label={footer.label} className="lg:col-span-full print:hidden">
        <ul className="flex flex-wrap gap-3">
          {LINKS.map(([id, word]) => (
            <li key={id}>
              <QuietLink href={`#${id}`}>{footer[word]}</QuietLink>
            </li>
          ))}
        </ul>
      </nav>
      <ul className="grid justify-items-start gap-3 lg:col-span-full xl:grid-cols-[repeat(3,auto)] xl:justify-start xl:gap-x-8">
        <li>
          <a className="inline-block py-2" href={path('/help/')}>
            {footer.help}
          </a>
          <p className="hidden print:block">{site.siteUrl + path('/help/')}</p>
        </li>
        <li>
          <NewTabLink href={site.privacyUrl}>{footer.privacyPolicy}</NewTabLink>
        </li>
        <li>
          <NewTabLink href={site.termsUrl}>{footer.terms}</NewTabLink>
        </li>
        <li>
          {footer.contact}{' '}
          <a className="inline-block py-2" href={`mailto:${site.contactEmail}`}>
            {site.contactEmail}
          </a>
        </li>
        <li>
          {footer.call}{' '}
          <a className="inline-block py-2" href={site.phoneUrl}>
            {site.phone}
          </a>
        </li>
      </ul>
      <div id="opt-out" className="print:hidden">
        {/* Script adds its button and a sentence, which must not push the last lines down: the heights of the longest words. */}
        <Island
          name="opt-out"
          className="grid min-h-32 content-start max-[359px]:min-h-43 justify-items-start gap-3 text-small text-ink-2"
        >
          <OptOut />
        </Island>
      </div>
      <div className="grid content-start gap-2 text-small text-ink-2 lg:ml-rail">
        <p>{footer.operator}</p>
        <p>{footer.copyright}</p>
      </div>
    </footer>
  );
}
