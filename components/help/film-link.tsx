import { HELP } from '#words/help.ts';
import { usePath, useWords } from '../language.tsx';
import { SignalLine } from '../signal-line.tsx';

/** The way from the film's words to the film. */
export function FilmLink() {
  const { watch } = useWords(HELP.film);
  const path = usePath();
  return (
    <div className="relative isolate -ml-rail pb-14 pl-rail print:hidden">
      <SignalLine shape="run" />
      <a className="inline-flex min-h-12 items-center font-bold" href={path('/#how-it-works')}>
        {watch}
      </a>
    </div>
  );
}
