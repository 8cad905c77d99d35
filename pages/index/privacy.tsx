import { site } from 'virtual:site';
import { Illustration } from '#components/illustration.tsx';
import { Section } from '#components/section.tsx';
import { SignalLine } from '#components/signal-line.tsx';

const PROMISES = [
  {
    title: 'Compliant',
    text: 'The service follows the laws that protect health information.',
  },
  {
    title: 'Encrypted',
    text: 'Your data is encrypted in transit and at rest. It is scrambled on its way, and where it is stored.',
  },
  {
    title: 'In your control',
    text: 'You decide which records to link and what to share. You can change your mind.',
  },
  {
    title: 'Yours to delete',
    text: 'You can delete your account at any time.',
  },
];

export function Privacy() {
  return (
    <Section id="privacy" title="Your Data Stays in Your Hands" className="axis privacy">
      <SignalLine shape="run" />
      <Illustration name="privacy" className="axis-art" />
      <div>
        <ul className="ruled">
          {PROMISES.map(({ title, text }) => (
            <li key={title} data-reveal="">
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
        <p className="powered">
          Powered by {site.partnerName}, a health insights platform operating since 2017.
        </p>
        <p className="mt-4 print:hidden">
          <a className="inline-flex min-h-11 items-center" href="#counting">
            See what this page counts
          </a>
        </p>
      </div>
    </Section>
  );
}
