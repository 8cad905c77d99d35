import { CaptureStub } from '#components/capture-stub.tsx';
import { CtaLink } from '#components/cta-link.tsx';
import heroScene from '#components/drawings/hero.svg?raw';
import { InlineDrawing } from '#components/inline-drawing.tsx';
import { Island } from '#components/island.tsx';
import { HeroStats } from '#components/islands/hero-stats.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { ISLANDS } from '#words/islands.ts';
import { LANDING } from '#words/landing.ts';

export function Hero() {
  const { hero, join } = useWords(LANDING);
  const path = usePath();
  return (
    <section
      className="relative mx-auto w-page lg:min-h-[min(46rem,58vw,100svh-6rem)]"
      aria-labelledby="top"
    >
      {/* At the top and not centred: the browser paints the words before it parses the drawing, and they must not move then. */}
      <div
        className="grid grid-cols-[100%] justify-items-start gap-(--hero-gap) pt-[clamp(0.25rem,min(2.6vw,3vh),1.5rem)] pb-6 lg:w-1/2 lg:pb-8"
        data-arrive=""
      >
        <p className="text-[clamp(1rem,0.9rem+0.5vw,1.25rem)]/snug font-bold text-balance text-emphasis lg:whitespace-nowrap">
          {hero.audience}
        </p>
        {/* The headline ends before the drawing begins, even with longer words. */}
        <h1 id="top" tabIndex={-1} className="font-display text-h1 text-balance lg:max-w-[94%]">
          {hero.headline[0]} <br />
          {hero.headline[1]}
        </h1>
        {/* Measures at which it has as many lines in each fallback font (tests/e2e/fonts.spec.ts). */}
        <p className="max-w-lede text-(length:--hero-lede)/[1.45] max-sm:max-w-[97%] lg:max-w-[min(39rem,92.5%)]">
          {hero.purpose}
        </p>
        {/* Before the first link that counts, so that each is armed before its first use. After the words, so that the
            first paint need not wait for it. */}
        <CaptureStub />
        <div className="join">
          <div>
            <CtaLink cta="hero">{join}</CtaLink>
          </div>
          <p className="text-small text-ink-2">{hero.signUp}</p>
        </div>
        <ul className="facts">
          {hero.facts.map(([label, answer, page]) => (
            <li key={label}>
              <a href={path(page)}>
                <b>{label}</b> <span>{answer}</span>
              </a>
            </li>
          ))}
        </ul>
        {/* On free ground, because a reserved place would be a hole: next to the line, and in wide windows below the facts. */}
        <Island
          name="hero-stats"
          className="absolute bottom-[calc(1.5rem-var(--pad))] left-[calc(var(--exit)+1.5rem)] text-small/snug text-balance lg:bottom-0 lg:left-0 print:static"
        >
          <HeroStats words={useWords(ISLANDS)['hero-stats']} />
        </Island>
      </div>
      <InlineDrawing
        svg={heroScene}
        className="-mx-gutter w-screen max-w-none lg:absolute lg:bottom-0 lg:left-[47%] lg:-z-1 lg:mx-0 lg:w-[54.36%]"
        data-arrive=""
      />
    </section>
  );
}
