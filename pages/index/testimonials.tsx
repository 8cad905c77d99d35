import { Section } from '#components/section.tsx';
import { Lined, SignalLine } from '#components/signal-line.tsx';

const STORIES = [
  {
    quote:
      'I used to bring three folders to every visit. Now I bring one screen, and we start with how I am.',
    who: 'A patient, 29, who drives a power chair',
  },
  {
    quote:
      'When the whole record is in one place, I search less and listen more. And each family that shares helps the next child.',
    who: 'A pediatric neurologist',
  },
];

export function Testimonials() {
  return (
    <Section
      id="impact"
      title="What One Shared Story Can Do"
      line="[--up:var(--pad)] lg:[--up:0px]"
    >
      <SignalLine shape="bend left" className="hidden [--to:var(--axis)] lg:block" />
      <Lined line="[--down:var(--pad)]">
        {STORIES.map(({ quote, who }) => (
          <figure key={who} className="pt-14 lg:last:ml-[33.3%]" data-reveal="">
            <blockquote>
              <p className="max-w-quote font-display text-quote text-balance lg:indent-[-0.42em]">
                “{quote}”
              </p>
            </blockquote>
            <figcaption className="mt-5 flex flex-wrap items-baseline gap-x-3 gap-y-2 text-ink-2">
              <b className="border-fine border-line px-2.5 py-0.5 text-ink">Sample story</b> {who}
            </figcaption>
          </figure>
        ))}
      </Lined>
    </Section>
  );
}
