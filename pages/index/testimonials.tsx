import { useWords } from '#components/language.tsx';
import { Section } from '#components/section.tsx';
import { Lined, SignalLine } from '#components/signal-line.tsx';
import { LANDING } from '#words/index.ts';

export function Testimonials() {
  const { title, intro, label, stories } = useWords(LANDING).impact;
  return (
    <Section
      id="impact"
      title={title}
      intro={intro}
      line="[--up:var(--pad)] lg:[--up:0px]"
      className="lg:pt-24"
    >
      <SignalLine
        shape="bend left"
        className="hidden [--to:var(--axis)] lg:-top-24 lg:block lg:h-24"
      />
      <Lined line="[--down:var(--pad)]">
        {stories.map(({ quote, person }) => (
          <figure
            key={person}
            className="pt-10 sm:pt-14 lg:last:ml-[calc(38%+0.38*var(--rail))]"
            data-reveal=""
          >
            <blockquote>
              <p className="max-w-quote font-display text-quote text-balance lg:indent-[-0.42em]">
                “{quote}”
              </p>
            </blockquote>
            <figcaption className="mt-5 flex flex-wrap items-baseline gap-x-3 gap-y-2 text-ink-2">
              <b className="text-emphasis">{label}</b> {person}
            </figcaption>
          </figure>
        ))}
      </Lined>
    </Section>
  );
}
