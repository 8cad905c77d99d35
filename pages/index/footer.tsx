import { site } from 'virtual:site';
import { usePath, useWords } from '#components/language.tsx';
import { NewTabLink, QuietLink } from '#components/links.tsx';
import type { SectionId } from '#components/section.tsx';
import { SignalLine } from '#components/signal-line.tsx';
import { LANDING } from '#words/index.ts';
import { ISLANDS } from '#words/islands.ts';

/** The footer's links to sections: the section's id, and the key of the link's text. */
const LINKS = [
  ['about', 'about'],
  ['how-it-works', 'howItWorks'],
  ['benefits', 'benefits'],
  ['register', 'register'],
] as const satisfies readonly (readonly [SectionId, string])[];

/**
 * The landing page's footer. The signal line comes down from the closing drawing, runs between the
 * columns, and ends at the site's logo.
 */
export function Footer() {
  const { footer } = useWords(LANDING);
  const { 'opt-out': optOut } = useWords(ISLANDS);
  const path = usePath();
  return (
    // In narrow windows the room at the end lets the page scroll the switch clear of its toast.
    <footer className="isolate mx-auto w-page pt-pad pb-28 lg:pb-12">
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
        <Contacts />
        {/*
         * The minimum height reserves room for the button and the sentence that
         * components/opt-out-switch.ts adds, at their longest, so that they cause no layout shift. The
         * button is at the bottom, so that a press, after which the sentence is shorter, leaves the
         * button where it is.
         */}
        <div
          id="opt-out"
          className="grid min-h-32 content-end max-[389px]:min-h-43 justify-items-start gap-3 text-small text-ink-2 lg:pr-12 print:hidden"
        >
          <p>{optOut.counted}</p>
        </div>
        <p className="flex min-h-9 items-center self-end text-small text-ink-2 lg:col-span-2 lg:ml-rail">
          <img src="/favicon.svg" alt="" width="36" height="36" />
          {footer.copyright}
        </p>
      </div>
    </footer>
  );
}

/** The operator's name, e-mail address and telephone number. */
function Contacts() {
  const { footer } = useWords(LANDING);
  return (
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
  );
}
