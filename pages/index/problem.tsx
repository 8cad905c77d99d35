import { Illustration } from '#components/illustration.tsx';
import { Section } from '#components/section.tsx';
import { Lined, SignalLine } from '#components/signal-line.tsx';
import { TitledText } from '#components/titled-text.tsx';
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
      line="broken"
    >
      <SignalLine shape="bend left" className="[--to:var(--exit)]" />
      <Lined
        line="broken"
        className="pt-12 lg:grid lg:grid-cols-[7fr_5fr] lg:items-center lg:gap-16"
      >
        <ul className="grid grid-cols-1 gap-8">
          {PROBLEMS.map((problem) => (
            <li key={problem.title} data-reveal="">
              <TitledText {...problem} />
            </li>
          ))}
        </ul>
        <Illustration name="problem" className="mx-auto mt-12 lg:mx-0 lg:-mt-24" />
      </Lined>
      <SuccessStory />
    </Section>
  );
}
