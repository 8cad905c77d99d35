import { Illustration } from '#components/illustration.tsx';
import { Island } from '#components/island.tsx';
import { Section } from '#components/section.tsx';
import { Lined, SignalLine } from '#components/signal-line.tsx';
import type { IllustrationName } from '#illustrations/illustrations.tsx';
import { Video } from '#islands/video.tsx';
import { FilmTranscript } from './film-transcript.tsx';

const STEPS: { title: string; text: string; illustration: IllustrationName }[] = [
  {
    title: 'Connect your records',
    text: 'Choose your hospitals, clinics and labs. Their records come together in your private space.',
    illustration: 'connect',
  },
  {
    title: 'Get personalized insights',
    text: 'See what your records say as a whole. Spot gaps in your care, and studies that may fit you.',
    illustration: 'insight',
  },
  {
    title: 'Drive research forward',
    text: 'Choose to share your data with research. What you live with every day helps to answer questions for everyone.',
    illustration: 'research',
  },
];

export function HowItWorks() {
  return (
    <Section
      id="how-it-works"
      title="How It Works"
      intro="Three steps. You set the pace, and you can stop at any point."
      className="how"
    >
      <ol className="steps">
        {STEPS.map(({ title, text, illustration }) => (
          <li key={title} className="step lined">
            <SignalLine shape="run" />
            <SignalLine shape="bend right" />
            <div data-reveal="">
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
            <Illustration name={illustration} />
          </li>
        ))}
      </ol>
      <Lined className="film">
        <div data-reveal="">
          <h3>See it in one minute</h3>
          <p>A short, calm film with captions and no sound. The words are here to read as well.</p>
          <FilmTranscript />
        </div>
        <Island name="video" data-reveal="">
          <Video />
        </Island>
      </Lined>
    </Section>
  );
}
