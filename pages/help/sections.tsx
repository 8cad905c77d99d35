/** The sections of a help page, along the signal line. */

import { asDrawingName } from '#components/drawings/drawing-names.ts';
import { Illustration } from '#components/illustration.tsx';
import { useLanguage, usePath, useWords } from '#components/language.tsx';
import { SignalLine } from '#components/signal-line.tsx';
import { ANSWERS, HELP, HELP_LAYOUT, HELP_PATHS, type HelpWords } from '#words/help.ts';

/**
 * One section of a help page. A section with a drawing, as on the easy-to-read page, has the
 * drawing on the left and a few short sentences on the right; on phones, the drawing is above them.
 */
export function HelpSection({ anchor, heading, drawing, html }: HelpWords['sections'][number]) {
  const columns = drawing
    ? 'grid gap-x-12 gap-y-3 pb-14 sm:grid-cols-[2fr_5fr] sm:items-end print:break-inside-avoid'
    : 'pb-12 lg:grid lg:grid-cols-[5fr_7fr] lg:items-baseline lg:gap-12 lg:pb-16';
  return (
    <section className={`relative isolate -ml-rail pl-rail ${columns}`}>
      <SignalLine shape="run" />
      {drawing && (
        <div className="mb-3 max-w-2xs sm:row-span-2 sm:mb-0 sm:self-center">
          <Illustration name={asDrawingName(drawing.name)} />
        </div>
      )}
      <h2 id={anchor} tabIndex={-1}>
        {heading}
      </h2>
      <div
        className={drawing && 'm-0 self-start text-lede [&_*+*]:mt-3'}
        data-prose=""
        // biome-ignore lint/security/noDangerouslySetInnerHtml: words/read-help.ts makes it of the project's own text.
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </section>
  );
}

/** The hub's list of the other help pages, with the main message of each. */
export function HelpPageList() {
  const { more } = useWords(HELP_LAYOUT);
  const language = useLanguage();
  const path = usePath();
  return (
    <section className="relative isolate -ml-rail pb-16 pl-rail">
      <SignalLine shape="run" />
      <h2>{more}</h2>
      <ul className="mt-6">
        {ANSWERS.map((page) => (
          <li
            key={page}
            className="border-t-pen py-5 lg:grid lg:grid-cols-[5fr_7fr] lg:items-baseline lg:gap-12"
          >
            <a className="inline-block py-2.5 font-display text-h3" href={path(HELP_PATHS[page])}>
              {HELP[page][language].title}
            </a>
            <p>{HELP[page][language].lead}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
