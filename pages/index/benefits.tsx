import { AxisSection } from '#components/section.tsx';
import { RuledList } from '#components/titled-text.tsx';

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
    <AxisSection id="benefits" title="What You Get" illustration="benefits">
      <RuledList items={BENEFITS} className="border-b-pen" />
    </AxisSection>
  );
}
