import { Illustration } from '#components/illustration.tsx';
import { useWords } from '#components/language.tsx';
import { Section } from '#components/section.tsx';
import { Lined, SignalLine } from '#components/signal-line.tsx';
import { TitledText } from '#components/titled-text.tsx';
import { LANDING } from '#words/index.ts';
import { SuccessStory } from './success-story.tsx';

export function Problem() {
  const { problem } = useWords(LANDING);
  return (
    <Section
      id="about"
      title={problem.title}
      intro={problem.intro}
      line="broken"
      className="lg:pt-24"
    >
      <SignalLine shape="bend left" className="[--to:var(--exit)] lg:-top-24 lg:h-24" />
      <Lined
        line="broken"
        className="pt-8 lg:grid lg:pt-12 lg:grid-cols-[7fr_5fr] lg:items-center lg:gap-16"
      >
        <ul className="grid grid-cols-1 gap-6 sm:gap-8">
          {problem.items.map((item) => (
            <li key={item.title} data-reveal="">
              <TitledText {...item} />
            </li>
          ))}
        </ul>
        <Illustration
          name="problem"
          className="mx-auto mt-8 max-sm:h-36 max-sm:w-auto lg:mx-0 lg:-mt-24"
        />
      </Lined>
      <SuccessStory />
    </Section>
  );
}
