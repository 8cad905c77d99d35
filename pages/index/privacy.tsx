import { site } from 'virtual:site';
import { usePath, useWords } from '#components/language.tsx';
import { NewTabLink } from '#components/links.tsx';
import { AxisSection } from '#components/section.tsx';
import { RuledList } from '#components/titled-text.tsx';
import { LANDING } from '#words/index.ts';

export function Privacy() {
  const { title, items, policy, poweredBy, counting } = useWords(LANDING).privacy;
  const path = usePath();
  return (
    <AxisSection id="privacy" title={title} ground="band" illustration="privacy">
      <RuledList
        items={items.map((item, i) =>
          i === 0 ? { ...item, text: withPolicy(item.text, policy) } : item,
        )}
        className="lg:grid lg:grid-cols-[repeat(auto-fit,minmax(clamp(40%,13rem,100%),1fr))] lg:gap-x-8"
      />
      <p className="border-t-pen pt-6 font-bold text-balance">{poweredBy}</p>
      <p className="mt-4 print:hidden">
        <a className="inline-flex min-h-11 items-center" href={path('/help/privacy/')}>
          {counting}
        </a>
      </p>
    </AxisSection>
  );
}

/** Returns a paragraph's text with a link to the privacy policy below. */
const withPolicy = (text: string, policy: string) => (
  <>
    {text}
    <br />
    <NewTabLink href={site.privacyUrl}>{policy}</NewTabLink>
  </>
);
