import helpModule from 'virtual:help-module';
import { site } from 'virtual:site';
import { pathIn } from '#contract/language.ts';
import { HELP_PATHS, HELP_TOOLS, type HelpPageName } from '#words/help.ts';
import { OPT_OUT } from '#words/opt-out.ts';
import { useLanguage, useWords } from '../language.tsx';
import { QuietLink } from '../quiet-button.tsx';

/**
 * The opt-out, and ways to send the page to someone. The help pages' module (pages/help/help-module.ts) adds the buttons, because
 * they need script.
 */
export function HelpTools({ page }: { page: HelpPageName }) {
  return (
    <>
      <div className="grid content-start gap-6 print:hidden lg:col-span-2 lg:grid-cols-[5fr_7fr] lg:items-baseline lg:gap-12">
        <div id="opt-out" className="grid content-start justify-items-start gap-3">
          <p role="status">{OPT_OUT[useLanguage()](site).counted}</p>
        </div>
        <SendPage page={page} />
      </div>
      {/* pages/load-module.ts loads it after the first paint. */}
      <template data-module={helpModule} />
    </>
  );
}

function SendPage({ page }: { page: HelpPageName }) {
  const language = useLanguage();
  const { send, mail, subject } = useWords(HELP_TOOLS);
  const address = `${site.siteUrl}${pathIn(language, HELP_PATHS[page])}`;
  const mailto = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURI(address)}`;
  return (
    <div id="send" className="grid content-start gap-3">
      <p className="font-bold">{send}</p>
      <p className="flex flex-wrap gap-3">
        <QuietLink href={mailto}>{mail}</QuietLink>
      </p>
    </div>
  );
}
