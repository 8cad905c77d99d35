import { HELP } from '#words/help.ts';
import { Illustration } from '../illustration.tsx';
import { useWords } from '../language.tsx';
import { SignalLine } from '../signal-line.tsx';

/** One idea each: the drawing on the left, a few short sentences on the right; one above the other on phones. */
export function EasyBlocks() {
  const { blocks } = useWords(HELP.easy);
  return blocks.map(({ drawing, heading, steps, lines }) => (
    <section
      key={drawing}
      className="relative isolate -ml-rail grid gap-6 pb-14 pl-rail sm:grid-cols-[2fr_5fr] sm:items-center sm:gap-12 print:break-inside-avoid"
    >
      <SignalLine shape="run" />
      <div className="max-w-2xs">
        <Illustration name={drawing} />
      </div>
      <div className="grid gap-3 text-lede">
        <h2 className="font-display text-h2">{heading}</h2>
        {steps && (
          <ol className="grid list-decimal gap-3 pl-6">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
        {lines.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are prerendered, and never change their order.
          <p key={i}>{line}</p>
        ))}
      </div>
    </section>
  ));
}
