import { HELP_LAYOUT, type HelpPageName } from '#words/help.ts';
import { LANDING } from '#words/landing.ts';
import { CtaLink } from '../cta-link.tsx';
import { useWords } from '../language.tsx';
import { Lined, SignalLine } from '../signal-line.tsx';

/** The line ends in the button, after every answer. */
export function HelpClosing({ page }: { page: HelpPageName }) {
  const { join } = useWords(LANDING);
  const { closing, cliniciansClosing } = useWords(HELP_LAYOUT);
  const { title, text } = page === 'clinicians' ? cliniciansClosing : closing;
  return (
    <section data-ground="sand" className="isolate py-14 print:py-0">
      <div className="relative mx-auto w-page pl-rail">
        <Lined line="[stroke-dashoffset:-4.25rem] [--up:3.5rem]">
          <h2 className="font-display text-h2">{title}</h2>
          <p className="mt-4">{text}</p>
        </Lined>
        <div className="relative -ml-rail pt-8 pl-rail print:p-0">
          <SignalLine
            shape="hook"
            className="top-0 left-line h-17 w-[calc(var(--rail)-var(--x))]"
          />
          <CtaLink cta="help">{join}</CtaLink>
        </div>
      </div>
    </section>
  );
}
