import type { ReactNode } from 'react';
import { HELP, HELP_LAYOUT, type HelpPageName, type HelpWords } from '#words/help.ts';
import { CaptureStub } from './capture-stub.tsx';
import { HelpClosing } from './help/closing.tsx';
import { HelpFigure } from './help/figure.tsx';
import { HelpFooter } from './help/footer.tsx';
import { usePath, useWords } from './language.tsx';
import { SignalLine } from './signal-line.tsx';
import { SiteHeader } from './site-header.tsx';
import { VisitScript } from './visit-script.tsx';

interface Props {
  page: HelpPageName;
  /** Links directly below the main message. */
  headLink?: ReactNode;
  /** Shown between the main message and the sections. */
  children?: ReactNode;
}

/** A page of answers: the main message first, the sections along the line, and the way back to the button. */
export function HelpPage({ page, headLink, children }: Props) {
  const words: HelpWords = useWords<HelpWords>(HELP[page]);
  return (
    <>
      <CaptureStub />
      <VisitScript />
      {/* A file that the browser has anyway, because it would be 80 bytes of each page. */}
      <SiteHeader mark={<img className="w-9 flex-none" src="/favicon.svg" alt="" />} />
      <main id="main" tabIndex={-1}>
        <div className="mx-auto w-page pl-rail">
          <PageHead page={page} words={words} link={headLink} />
          {children}
          {Object.entries(words.sections ?? {}).map(
            ([key, section]) =>
              section && (
                <section
                  key={key}
                  className="relative isolate -ml-rail pb-12 pl-rail lg:grid lg:grid-cols-[5fr_7fr] lg:items-baseline lg:gap-12 lg:pb-16"
                >
                  <SignalLine shape="run" />
                  <h2 id={key} tabIndex={-1} className="font-display text-h2">
                    {section.heading}
                  </h2>
                  <div data-prose="">{section.body}</div>
                </section>
              ),
          )}
        </div>
        <HelpClosing page={page} />
      </main>
      <HelpFooter page={page} />
    </>
  );
}

interface HeadProps {
  page: HelpPageName;
  words: HelpWords;
  link: ReactNode;
}

function PageHead({ page, words, link }: HeadProps) {
  const hub = useWords(HELP.hub).title;
  const path = usePath();
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
      {/* The hub has no link above its heading. On wide screens its heading is where those of the other pages are. */}
      <div
        className={`relative isolate -ml-rail pt-4 ${page === 'hub' ? 'lg:pt-22' : 'lg:pt-6'} pb-14 pl-rail lg:grid lg:grid-cols-[8fr_4fr] lg:items-start lg:gap-12 lg:pb-20`}
      >
        <SignalLine shape="run" />
        <div>
          <h1 className="font-display text-h1">{words.title}</h1>
          <p className="mt-6 max-w-lede text-lede">{words.lead}</p>
          {words.contents && <Contents links={words.contents} />}
          {link}
        </div>
        <HelpFigure page={page} />
      </div>
    </>
  );
}

function Contents({ links }: { links: NonNullable<HelpWords['contents']> }) {
  const { contents } = useWords(HELP_LAYOUT);
  return (
    <nav aria-label={contents} className="mt-8 print:hidden">
      <ul className="flex flex-wrap gap-x-8 gap-y-2">
        {links.map(({ section, text }) => (
          <li key={section}>
            <a className="inline-block py-2.5 font-bold" href={`#${section}`}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
