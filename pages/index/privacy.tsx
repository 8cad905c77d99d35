import { site } from 'virtual:site';
import { AxisSection } from '#components/section.tsx';
import { RuledList } from '#components/titled-text.tsx';

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
    <AxisSection
      id="privacy"
      title="Your Data Stays in Your Hands"
      ground="band"
      illustration="privacy"
    >
      <RuledList items={PROMISES} className="lg:grid lg:grid-cols-2 lg:gap-x-8" />
      <p className="border-t-pen pt-6 font-bold">
        Powered by {site.partnerName}, a health insights platform operating since 2017.
      </p>
      <p className="mt-4 print:hidden">
        <a className="inline-flex min-h-11 items-center" href="#counting">
          See what this page counts
        </a>
      </p>
    </AxisSection>
  );
}
