import { HELP } from '#words/help.ts';
import { usePath, useWords } from '../language.tsx';

/** Links to the answers that families ask for first. They are above the list, because a list has at most 7 items. */
export function FirstAnswers() {
  const { first } = useWords(HELP.hub);
  const path = usePath();
  return (
    <ul className="mt-8 flex flex-wrap gap-x-8 gap-y-2 print:hidden">
      {first.map(({ to, text }) => (
        <li key={to}>
          <a className="inline-block py-2.5 font-bold" href={path(to)}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}
