import type { DrawingName } from '#components/drawings/drawing-names.ts';
import { Illustration } from '#components/illustration.tsx';
import { useLanguage, usePath, useWords } from '#components/language.tsx';
import { Section } from '#components/section.tsx';
import { Lined, SignalLine } from '#components/signal-line.tsx';
import { TitledText } from '#components/titled-text.tsx';
import { LANGUAGES, type Language } from '#contract/language.ts';
import { LANDING } from '#words/index.ts';

const STEPS = [
  { step: 'connect', illustration: 'connect' },
  { step: 'insight', illustration: 'insight' },
  { step: 'research', illustration: 'research' },
] as const;

export function HowItWorks() {
  const { title, intro, step: stepLabel, steps, film } = useWords(LANDING).howItWorks;
  const path = usePath();
  return (
    <Section id="how-it-works" title={title} intro={intro} line="[--down:3.5rem] [--up:var(--pad)]">
      <ol className="steps">
        {STEPS.map(({ step, ...layout }, i) => (
          <Step
            key={step}
            {...steps[step]}
            {...layout}
            number={i + 1}
            spoken={`${stepLabel} ${i + 1}:`}
            isLast={i === STEPS.length - 1}
          />
        ))}
      </ol>
      <Lined line="[--down:var(--pad)] lg:left-axis" className="print:hidden">
        <div data-reveal="" className="lg:ml-[calc(38%+0.38*var(--rail))]">
          <TitledText title={film.title} text={film.text} />
          <a className="mt-1 inline-flex min-h-11 items-center" href={path('/help/film/')}>
            {film.read}
          </a>
        </div>
        <div data-reveal="" className="film mt-4 lg:mt-8 lg:max-w-[calc((100svh-8rem)*16/9)]">
          <Film label={film.label} />
        </div>
      </Lined>
    </Section>
  );
}

/** The film with the narration of each language. */
const FILMS: Record<Language, string> = { en: '/video/film.mp4', es: '/video/film-es.mp4' };
/** Captions by language, with the name that the browser's menu shows. */
const CAPTIONS: Record<Language, { src: string; label: string }> = {
  en: { src: '/video/film.vtt', label: 'English' },
  es: { src: '/video/film-es.vtt', label: 'Español' },
};

/** The film, with the browser's own controls. It is not loaded before the visitor starts it. */
function Film({ label }: { label: string }) {
  const language = useLanguage();
  return (
    <video
      className="block h-full w-full border-pen border-ink object-cover"
      src={FILMS[language]}
      poster="/video/poster.svg"
      width="960"
      height="540"
      controls
      preload="none"
      playsInline
      aria-label={label}
    >
      <track kind="captions" srcLang={language} default {...CAPTIONS[language]} />
      {LANGUAGES.filter((other) => other !== language).map((other) => (
        <track key={other} kind="captions" srcLang={other} {...CAPTIONS[other]} />
      ))}
    </video>
  );
}

interface StepProps {
  title: string;
  text: string;
  spoken: string;
  illustration: DrawingName;
  number: number;
  isLast: boolean;
}

function Step({ illustration, number, isLast, ...words }: StepProps) {
  return (
    <li>
      {/* The line runs down beside the text, and bends to the next step. The film has its own run. */}
      <SignalLine shape="run" />
      {!isLast && <SignalLine shape="bend right" />}
      <span aria-hidden="true">{number}</span>
      <div data-reveal="">
        <TitledText {...words} />
      </div>
      <Illustration name={illustration} />
    </li>
  );
}
