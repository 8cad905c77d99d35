import { HELP } from '#words/help.ts';
import { usePath, useWords } from '../language.tsx';

/** The way from the film's words to the film. */
export function FilmLink() {
  const { watch } = useWords(HELP.film);
  const path = usePath();
  return (
    <p className="mt-8 print:hidden">
      <a className="inline-block py-2.5 font-bold" href={path('/#how-it-works')}>
        {watch}
      </a>
    </p>
  );
}
