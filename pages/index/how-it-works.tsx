import { site } from 'virtual:site';
import { Illustration, type IllustrationName, JOINS_LINE } from '#components/illustration.tsx';
import { Island } from '#components/island.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { Section } from '#components/section.tsx';
import { Lined, SignalLine } from '#components/signal-line.tsx';
import { TitledText } from '#components/titled-text.tsx';
import { Video } from '#islands/video.tsx';
import { ISLANDS } from '#words/islands.ts';
import { LANDING } from '#words/landing.ts';

interface Work {
  title: string;
  text: string;
  illustration: IllustrationName;
  /** In wide windows each step starts where the line ends. */
  place: string;
}

const LOOKS = [
  { step: 'connect', illustration: 'connect', place: '' },
  { step: 'insight', illustration: 'mount', place: 'lg:ml-[19%]' },
  { step: 'research', illustration: 'research', place: 'lg:ml-[38%]' },
] as const;

export function HowItWorks() {
  const { title, intro, steps, film } = useWords(LANDING).howItWorks;
  const path = usePath();
  return (
    <Section id="how-it-works" title={title} intro={intro} line="[--down:3.5rem] [--up:var(--pad)]">
      <ol className="-ml-rail pt-14">
        {LOOKS.map(({ step, ...look }, i) => (
          <Step
            key={step}
            {...steps[step]}
            {...look}
            number={i + 1}
            isLast={i === LOOKS.length - 1}
          />
        ))}
      </ol>
      <Lined
        line="[--down:var(--pad)] lg:left-axis"
        className="lg:grid lg:grid-cols-[38%_1fr] lg:items-start lg:pl-0 print:hidden"
      >
        <div data-reveal="">
          <TitledText title={film.title} text={film.text} />
          {/* The site's own film in words. Any other film has its own captions. */}
          {!site.youtubeId && (
            <a className="mt-3 inline-flex min-h-11 items-center" href={path('/help/film/')}>
              {film.read}
            </a>
          )}
          {/* Next to the film, because its column would be empty below the words. */}
          <Illustration name="watch" className={`mt-6 hidden lg:block ${JOINS_LINE}`} />
        </div>
        <Island name="video" data-reveal="" className="mt-6 lg:mt-0 lg:ml-rail">
          <Video words={useWords(ISLANDS).video} />
        </Island>
      </Lined>
    </Section>
  );
}

function Step(props: Work & { number: number; isLast: boolean }) {
  const { title, text, illustration, place, number, isLast } = props;
  return (
    <li
      className={`relative pb-14 pl-rail sm:grid sm:grid-cols-[1fr_38%] sm:gap-x-8 lg:w-[62%] lg:grid-cols-[5fr_3fr] lg:gap-x-12 lg:pb-24 ${place}`.trim()}
    >
      {/* Down along the words, then across to the next step. The film's own run follows the last. */}
      <SignalLine
        shape="run"
        className={isLast ? '[--up:-1rem]' : '[--down:1rem] [--up:-1rem] lg:[--down:-6rem]'}
      />
      {!isLast && (
        <SignalLine
          shape="bend right"
          className="hidden [--to:calc(var(--x)+30.645%)] lg:top-[calc(100%-6rem)] lg:block lg:h-28"
        />
      )}
      <span
        className="absolute left-line -ml-3.5 grid size-7 place-items-center rounded-full border-pen bg-paper font-bold lg:-mt-1 lg:-ml-4.5 lg:size-9"
        aria-hidden="true"
      >
        {number}
      </span>
      <div data-reveal="">
        <TitledText title={title} text={text} />
      </div>
      <Illustration name={illustration} className="mt-6 sm:-mt-4" />
    </li>
  );
}
