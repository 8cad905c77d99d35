import { ANSWERS, HELP, HELP_LAYOUT, HELP_PATHS, type HelpPageName } from '#words/help.ts';
import { usePath, useWords } from '../language.tsx';
import { SignalLine } from '../signal-line.tsx';

/** The other help pages with their main messages. */
export function HelpPageList() {
  const { more } = useWords(HELP_LAYOUT);
  return (
    <section className="relative isolate -ml-rail pb-16 pl-rail">
      <SignalLine shape="run" />
      <h2 className="font-display text-h2">{more}</h2>
      <ul className="mt-6">
        {ANSWERS.map((page) => (
          <PageEntry key={page} page={page} />
        ))}
      </ul>
    </section>
  );
}

function PageEntry({ page }: { page: HelpPageName }) {
  const { title, lead } = useWords<{ title: string; lead: string }>(HELP[page]);
  const path = usePath();
  return (
    <li className="border-t-pen py-5 lg:grid lg:grid-cols-[5fr_7fr] lg:items-baseline lg:gap-12">
      <a className="inline-block py-2.5 font-display text-h3" href={path(HELP_PATHS[page])}>
        {title}
      </a>
      <p>{lead}</p>
    </li>
  );
}
