import { Illustration } from '#components/illustration.tsx';
import { Section } from '#components/section.tsx';
import { Lined, SignalLine } from '#components/signal-line.tsx';
import { SuccessStory } from './success-story.tsx';

const PROBLEMS = [
  {
    title: 'Fragmented care',
    text: 'Your neurologist, lung doctor, therapist and school each keep their own notes. No one sees the whole picture, so you carry it from door to door.',
  },
  {
    title: 'Exhausting fatigue',
    text: 'Many days with SMA are tiring enough. Forms, calls and telling your story again use up strength you need for living.',
  },
  {
    title: 'Limited research insights',
    text: 'SMA is rare, and what is known about it sits in many places. When each researcher sees a small part, answers come slowly.',
  },
];

export function Problem() {
  return (
    <Section
      id="about"
      title="The SMA journey is improving, but not fast enough"
      intro="New treatments have changed what is possible. Daily life still asks a lot of families. Three things slow us all down."
      className="problem"
    >
      <SignalLine shape="bend left" className="from-hero" />
      <Lined className="split">
        <ul className="problems">
          {PROBLEMS.map(({ title, text }) => (
            <li key={title} data-reveal="">
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
        <Illustration name="problem" className="problem-art" />
      </Lined>
      <SuccessStory />
    </Section>
  );
}
