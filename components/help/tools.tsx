import { site } from 'virtual:site';
import { pathIn } from '#contract/language.ts';
import { HELP, HELP_PATHS, HELP_TOOLS, type HelpPageName } from '#words/help.ts';
import { useLanguage, usePath, useWords } from '../language.tsx';
import { QuietLink } from '../quiet-button.tsx';

/** The ways to turn counting off, and to send the page by mail. */
export function HelpTools({ page }: { page: HelpPageName }) {
  const { sections } = useWords(HELP.privacy);
  const path = usePath();
  return (
    <div className="grid content-start gap-6 print:hidden lg:col-span-2 lg:grid-cols-[5fr_7fr] lg:items-baseline lg:gap-12">
      <p>
        <QuietLink href={path(`${HELP_PATHS.privacy}#stop`)}>{sections.stop.heading}</QuietLink>
      </p>
      <SendPage page={page} />
    </div>
  );
}

function SendPage({ page }: { page: HelpPageName }) {
  const language = useLanguage();
  const { send, mail, subject } = useWords(HELP_TOOLS);
  const address = `${site.siteUrl}${pathIn(language, HELP_PATHS[page])}`;
  const mailto = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURI(address)}`;
  return (
    <div className="grid content-start gap-3">
      <p className="font-bold">{send}</p>
      <p className="flex flex-wrap gap-3">
        <QuietLink href={mailto}>{mail}</QuietLink>
      </p>
    </div>
  );
}
