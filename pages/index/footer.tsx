import { site } from 'virtual:site';
import { Island } from '#components/island.tsx';
import { OptOut } from '#components/islands/opt-out.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { NewTabLink, QuietLink } from '#components/links.tsx';
import type { SectionId } from '#components/section.tsx';
import { SignalLine } from '#components/signal-line.tsx';
import { LANDING } from '#words/index.ts';

/** The sections that the footer links to, each with the name of its words. */
const LINKS = [
  ['about', 'about'],
  ['how-it-works', 'howItWorks'],
  ['benefits', 'benefits'],
  ['register', 'register'],
] as const satisfies readonly (readonly [SectionId, string])[];

/** The road comes down from the drawing, runs between the columns, and ends at the site's mark. */
export function Footer() {
  const { footer } = useWords(LANDING);
  const path = usePath();
  return (
    <footer className="isolate mx-auto w-page pt-pad pb-12">
      <div>
        <SignalLine shape={site.registerForm ? 'bend right' : 'bend left'} />
        <SignalLine shape="run" />
        <nav aria-label={footer.label} className="lg:pr-8 print:hidden">
          <ul className="grid max-w-md grid-cols-2 gap-3">
            {LINKS.map(([id, word]) => (
              <li key={id} className="grid">
                <QuietLink href={`#${id}`}>{footer[word]}</QuietLink>
              </li>
            ))}
          </ul>
        </nav>
        <ul className="grid content-start justify-items-start gap-2 lg:ml-rail">
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
        </ul>
        <ul className="grid content-start justify-items-start gap-2 lg:pl-8">
          <li className="py-2">{footer.operator}</li>
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
        <div id="opt-out" className="lg:pr-12 print:hidden">
          {/* Script adds its button and a sentence, which must not push the last lines down: the heights of the longest words. */}
          <Island
            name="opt-out"
            className="grid min-h-32 content-start max-[359px]:min-h-43 justify-items-start gap-3 text-small text-ink-2"
          >
            <OptOut />
          </Island>
        </div>
        <p className="flex min-h-9 items-center self-end text-small text-ink-2 lg:col-span-2 lg:ml-rail">
          <img src="/favicon.svg" alt="" width="36" height="36" />
          {footer.copyright}
        </p>
      </div>
    </footer>
  );
}
