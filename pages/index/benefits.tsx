import { useWords } from '#components/language.tsx';
import { AxisSection } from '#components/section.tsx';
import { RuledList } from '#components/titled-text.tsx';
import { LANDING } from '#words/index.ts';

export function Benefits() {
  const { title, items } = useWords(LANDING).benefits;
  return (
    <AxisSection id="benefits" title={title} illustration="benefits">
      <RuledList items={items} className="border-b-pen" />
    </AxisSection>
  );
}
