import { ANSWERS, HELP, HELP_LAYOUT, HELP_PATHS, type HelpPageName } from '#words/help.ts';
import { usePath, useWords } from '../language.tsx';

/** The ways on from the end of a help page: the next page, all answers, and home. */
export function ReadOn({ page }: { page: HelpPageName }) {
  const { more, next, home } = useWords(HELP_LAYOUT);
  const hub = useWords(HELP.hub).title;
  const path = usePath();
  const following = pageAfter(page);
  const { title } = useWords<{ title: string }>(HELP[following ?? 'hub']);
  const links = [
    ...(following ? [{ to: HELP_PATHS[following], text: `${next} ${title}` }] : []),
    ...(page === 'hub' ? [] : [{ to: HELP_PATHS.hub, text: hub }]),
    { to: '/', text: home },
  ];
  return (
    <nav aria-label={more} className="print:hidden lg:col-span-2">
      <ul className="flex flex-wrap gap-x-8 gap-y-2">
        {links.map(({ to, text }) => (
          <li key={to}>
            <a className="inline-block py-2.5 font-bold" href={path(to)}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The next page in the hub's order. The first answer follows the hub and the film's words; nothing follows the last one. */
const pageAfter = (page: HelpPageName): HelpPageName | undefined =>
  ANSWERS[ANSWERS.indexOf(page) + 1];
