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
    <Section id="impact" title="What One Shared Story Can Do" className="voices">
      <SignalLine shape="bend left" className="from-axis" />
      <Lined>
        {STORIES.map(({ quote, who }) => (
          <figure key={who} className="voice" data-reveal="">
            <blockquote>
              <p className="quote">“{quote}”</p>
            </blockquote>
            <figcaption>
              <b className="sample">Sample story</b> {who}
            </figcaption>
          </figure>
        ))}
      </Lined>
    </Section>
  );
}
