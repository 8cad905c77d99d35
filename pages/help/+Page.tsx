import { asDrawingName } from '#components/drawings/drawing-names.ts';
import { Illustration } from '#components/illustration.tsx';
import { ClickStub, VisitScript } from '#components/inline-scripts.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { SignalLine } from '#components/signal-line.tsx';
import { SiteHeader } from '#components/site-header.tsx';
import { HELP, HELP_PATHS, type HelpPageName, type HelpWords } from '#words/help.ts';
import { HelpClosing, HelpFooter, LinkRow } from './end.tsx';
import { HelpPageList, HelpSection } from './sections.tsx';

/** A help page: its main message, its sections along the signal line, and a call to action. */
export function Page({ page }: { page: HelpPageName }) {
  const words = useWords(HELP[page]);
  return (
    <>
      <ClickStub />
      <VisitScript />
      <SiteHeader pagePath={HELP_PATHS[page]} />
      <main id="main" tabIndex={-1}>
        <div className="mx-auto w-page pl-rail">
          <PageHead page={page} words={words} />
          {page === 'hub' && <HelpPageList />}
          {words.sections.map((section) => (
            <HelpSection key={section.heading} {...section} />
          ))}
        </div>
        <HelpClosing page={page} />
      </main>
      <HelpFooter page={page} />
    </>
  );
}

function PageHead({ page, words }: { page: HelpPageName; words: HelpWords }) {
  const hub = useWords(HELP.hub).title;
  const path = usePath();
  // The page of questions links to its own sections; the others have links in their Markdown.
  const links =
    page === 'questions'
      ? words.sections.map(({ anchor, heading }) => ({ to: `#${anchor}`, text: heading }))
      : words.links;
  return (
    <>
      {page !== 'hub' && (
        <a
          className="mt-4 inline-flex min-h-12 items-center gap-2 print:hidden"
          href={path('/help/')}
        >
          {hub}
        </a>
      )}
      {/*
       * The hub has no link above its heading. More padding puts its heading at the height of the
       * other pages' headings.
       */}
      <div
        className={`relative isolate -ml-rail pt-4 ${page === 'hub' ? 'lg:pt-22' : 'lg:pt-6'} pb-14 pl-rail lg:grid lg:grid-cols-[8fr_4fr] lg:items-start lg:gap-12 lg:pb-20`}
      >
        <SignalLine shape="run" />
        <div>
          <h1>{words.title}</h1>
          <p className="mt-6 max-w-lede text-lede">{words.lead}</p>
          {links.length > 0 && (
            <nav aria-label={words.title} className="mt-8 print:hidden">
              <LinkRow links={links} inColumns={page === 'questions'} />
            </nav>
          )}
        </div>
        {/* The drawing is not printed. */}
        {words.drawing && (
          <figure className="mt-8 grid max-w-2xs gap-3 lg:mt-0 print:hidden">
            <Illustration name={asDrawingName(words.drawing.name)} />
            <figcaption className="text-small text-ink-2">{words.drawing.caption}</figcaption>
          </figure>
        )}
      </div>
    </>
  );
}
