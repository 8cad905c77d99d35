import { HELP_FIGURES } from '#words/help.ts';
import type { HelpPageName } from '#words/help-paths.ts';
import { Illustration } from '../illustration.tsx';
import { useWords } from '../language.tsx';

/** A drawing of the page's main message, and what it has to do with it. Paper has the words alone. */
export function HelpFigure({ page }: { page: HelpPageName }) {
  const figures = useWords(HELP_FIGURES);
  if (page === 'easy') return null;
  const { drawing, caption } = figures[page];
  return (
    <figure className="mt-8 grid max-w-2xs gap-3 lg:mt-0 print:hidden">
      <Illustration name={drawing} />
      <figcaption className="text-small text-ink-2">{caption}</figcaption>
    </figure>
  );
}
