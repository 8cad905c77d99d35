import { HelpPage } from '#components/help-page.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { HELP } from '#words/help.ts';

/** The film in words, for visitors who read rather than watch. */
export function Page() {
  const { watch } = useWords(HELP.film);
  const path = usePath();
  return (
    <HelpPage page="film">
      <p className="pb-14">
        <a className="inline-flex min-h-12 items-center font-bold" href={path('/#how-it-works')}>
          {watch}
        </a>
      </p>
    </HelpPage>
  );
}
