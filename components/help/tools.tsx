import helpModule from 'virtual:help-module';
import { site } from 'virtual:site';
import { pathIn } from '#contract/language.ts';
import { HELP_PATHS, HELP_TOOLS, type HelpPageName } from '#words/help.ts';
import { OPT_OUT } from '#words/opt-out.ts';
import { useLanguage, useWords } from '../language.tsx';
import { QuietButton, QuietLink } from '../quiet-button.tsx';

/** What pages/help/opt-out-button.ts needs besides the button's own words. */
export interface OptOutButtonWords {
  turnOn: string;
  isOn: string;
  isOff: string;
  /** The browser has refused to store the choice. */
  notStored: string;
}

/** What pages/help/send-page.ts needs. */
export interface SendPageWords {
  subject: string;
  copied: string;
  /** Before the page's address. */
  notCopied: string;
}

/**
 * The opt-out, and ways to send the page to someone. The help pages' module (pages/help/help-module.ts) shows the buttons, because
 * they need script. It reads its words from here, so that it has no language of its own.
 */
export function HelpTools({ page }: { page: HelpPageName }) {
  return (
    <>
      <div className="grid content-start gap-6 print:hidden lg:col-span-2 lg:grid-cols-[5fr_7fr] lg:gap-12">
        <OptOut />
        <SendPage page={page} />
      </div>
      {/* pages/load-module.ts loads it after the first paint. */}
      <template data-module={helpModule} />
    </>
  );
}

function OptOut() {
  const { turnOff, turnOn, counted, isOn, isOff, notStored } = OPT_OUT[useLanguage()](site);
  const words: OptOutButtonWords = {
    turnOn,
    isOn,
    isOff,
    notStored: Object.values(notStored).join('. '),
  };
  return (
    <div
      id="opt-out"
      className="grid content-start justify-items-start gap-3"
      data-opt-out={JSON.stringify(words)}
    >
      <QuietButton hidden>{turnOff}</QuietButton>
      <p role="status">{counted}</p>
    </div>
  );
}

function SendPage({ page }: { page: HelpPageName }) {
  const language = useLanguage();
  const { send, share, copy, mail, subject, message, copied, notCopied } = useWords(HELP_TOOLS);
  const address = `${site.siteUrl}${pathIn(language, HELP_PATHS[page])}`;
  const letter = new URLSearchParams({ subject, body: `${message} ${address}` });
  const words: SendPageWords = { subject, copied, notCopied };
  return (
    <div className="grid content-start gap-3" data-send={JSON.stringify(words)}>
      <p className="font-bold">{send}</p>
      <p className="flex flex-wrap gap-3">
        <QuietButton hidden data-share="">
          {share}
        </QuietButton>
        <QuietButton hidden data-copy="">
          {copy}
        </QuietButton>
        {/* Mail programs show a plus sign as it is. */}
        <QuietLink href={`mailto:?${String(letter).replaceAll('+', '%20')}`}>{mail}</QuietLink>
      </p>
      <p role="status" />
    </div>
  );
}
