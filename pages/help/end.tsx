/** The end of a help page: the call to action, links to other pages, and the footer. */
import { site } from 'virtual:site';
import { CtaLink } from '#components/cta-link.tsx';
import { useLanguage, usePath, useWords } from '#components/language.tsx';
import { NewTabLink, QuietLink } from '#components/links.tsx';
import { Lined, SignalLine } from '#components/signal-line.tsx';
import { longDate, REVIEWS } from '#words/dates.ts';
import { ANSWERS, HELP, HELP_LAYOUT, HELP_PATHS, type HelpPageName } from '#words/help.ts';
import { LANDING } from '#words/index.ts';

type Props = { page: HelpPageName };

/** The section with the call to action, at which the signal line ends. */
export function HelpClosing({ page }: Props) {
  const { join } = useWords(LANDING);
  const { closing, cliniciansClosing } = useWords(HELP_LAYOUT);
  const { title, text } = page === 'clinicians' ? cliniciansClosing : closing;
  return (
    <section data-ground="sand" className="isolate py-14 print:py-0">
      <div className="relative mx-auto w-page pl-rail">
        {/*
         * A grid keeps the margins of its children inside. Otherwise margins of a visitor's own
         * style sheet would leave a gap in the line.
         */}
        <Lined line="[stroke-dashoffset:-4.25rem] [--up:3.5rem]" className="grid">
          <h2>{title}</h2>
          <p className="mt-4">{text}</p>
        </Lined>
        <div className="relative -ml-rail pt-8 pl-rail print:p-0">
          <SignalLine
            shape="hook"
            className="top-0 left-line h-17 w-[calc(var(--rail)-var(--x))]"
          />
          <CtaLink cta="help">{join}</CtaLink>
        </div>
      </div>
    </section>
  );
}

export function HelpFooter({ page }: Props) {
  const path = usePath();
  const language = useLanguage();
  const { footer } = useWords(LANDING);
  const words = useWords(HELP_LAYOUT);
  const review = REVIEWS[page];
  return (
    <footer className="mx-auto grid w-page gap-8 py-12 lg:pl-rail lg:grid-cols-[5fr_7fr] lg:gap-12">
      <ReadOn page={page} />
      <p className="print:hidden lg:col-span-2">
        <QuietLink href={path(`${HELP_PATHS.privacy}#stop`)}>{words.optOut}</QuietLink>
      </p>
      <ul className="grid content-start justify-items-start gap-2">
        <li>
          <NewTabLink href={site.privacyUrl}>{words.privacyPolicy}</NewTabLink>
        </li>
        <li>
          <NewTabLink href={site.termsUrl}>{words.terms}</NewTabLink>
        </li>
      </ul>
      <div className="grid content-start gap-2 py-2 text-small text-ink-2">
        {review && <p>{words.reviewed(longDate(review.on, language))}</p>}
        <p>{footer.copyright}</p>
        {/* The page's address is printed, so that the reader of the paper finds the page. */}
        <p className="hidden print:block">{site.siteUrl + path(HELP_PATHS[page])}</p>
      </div>
    </footer>
  );
}

/**
 * Links to the next help page, to the hub and to the landing page. The pages of ANSWERS follow one
 * another. After the hub and the film's text comes the first of them; after the last, none.
 */
function ReadOn({ page }: Props) {
  const language = useLanguage();
  const path = usePath();
  const { more, next, home } = useWords(HELP_LAYOUT);
  const titleOf = (name: HelpPageName) => HELP[name][language].title;
  const following = ANSWERS[ANSWERS.indexOf(page) + 1];
  const links = [
    ...(following ? [{ to: HELP_PATHS[following], text: `${next} ${titleOf(following)}` }] : []),
    ...(page === 'hub' ? [] : [{ to: HELP_PATHS.hub, text: titleOf('hub') }]),
    { to: '/', text: home },
  ];
  return (
    <nav aria-label={more} className="print:hidden lg:col-span-2">
      <LinkRow links={links.map(({ to, text }) => ({ to: path(to), text }))} />
    </nav>
  );
}

/** A list of links, in one row or, with `inColumns`, in two columns. */
export function LinkRow(props: { links: { to: string; text: string }[]; inColumns?: boolean }) {
  const { links, inColumns = false } = props;
  return (
    <ul
      className={
        inColumns ? 'grid gap-x-8 gap-y-2 sm:grid-cols-2' : 'flex flex-wrap gap-x-8 gap-y-2'
      }
    >
      {links.map(({ to, text }) => (
        <li key={to}>
          <a className="inline-block py-2.5 font-bold" href={to}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}
