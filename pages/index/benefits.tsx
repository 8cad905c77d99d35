import { Illustration } from '#components/illustration.tsx';
import { Section } from '#components/section.tsx';
import { SignalLine } from '#components/signal-line.tsx';

const BENEFITS = [
  {
    title: 'Organized records',
    text: 'Visits, tests and letters on one timeline. Bring it to any appointment, and tell your story once.',
  },
  {
    title: 'Personalized care insights',
    text: 'Plain notes on care you may be missing, with questions to take to your doctor.',
  },
  {
    title: 'Research impact',
    text: 'Your data, joined with that of others, helps researchers ask better questions and find answers sooner.',
  },
];

export function Benefits() {
  return (
    <Section id="benefits" title="What You Get" className="axis">
      <SignalLine shape="run" />
      <Illustration name="benefits" className="axis-art" />
      <ul className="ruled">
        {BENEFITS.map(({ title, text }) => (
          <li key={title} data-reveal="">
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
