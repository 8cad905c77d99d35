import { CaptureStub } from '#components/capture-stub.tsx';
import { CtaLink } from '#components/cta-link.tsx';
import { InlineDrawing } from '#components/inline-drawing.tsx';
import { Island } from '#components/island.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { LanguageLink } from '#components/language-link.tsx';
import heroScene from '#illustrations/hero.svg?raw';
import { HeroStats } from '#islands/hero-stats.tsx';
import { ISLANDS } from '#words/islands.ts';
import { LANDING } from '#words/landing.ts';

export function Hero() {
  const { hero, join } = useWords(LANDING);
  const path = usePath();
  return (
    <section
      className="relative mx-auto w-page lg:grid lg:min-h-[min(46rem,58vw)] lg:items-start"
      aria-labelledby="top"
    >
      {/* Not centred, because the browser paints the words before it parses the drawing, and they must not move then. */}
      <div
        className="grid grid-cols-[100%] justify-items-start gap-5 pt-inset pb-10 lg:w-1/2 lg:pt-6 lg:pb-20"
        data-arrive=""
      >
        {/* One line in wide windows, and a narrow measure on the smallest phones, so that it breaks alike with every font. */}
        <p className="max-w-[13em] text-body/snug font-bold text-balance text-emphasis min-[21.5rem]:max-w-none lg:whitespace-nowrap">
          {hero.audience}
        </p>
        {/* The headline ends before the drawing begins, even with longer words. */}
        <h1 id="top" tabIndex={-1} className="font-display text-h1 lg:max-w-[94%]">
          {hero.headline[0]} <br />
          {hero.headline[1]}
        </h1>
        <p className="text-lede text-pretty lg:max-w-[min(24em,95%)]">{hero.purpose}</p>
        {/* Before the first link that counts, so that each is armed before its first use. After the words, so that the
            first paint need not wait for it. */}
        <CaptureStub />
        <CtaLink cta="hero" className="mt-3">
          {join}
        </CtaLink>
        <p className="-my-2 text-small text-ink-2">
          {hero.operator}{' '}
          <a className="inline-flex min-h-11 items-center" href={path('/help/')}>
            {hero.answers}
          </a>
        </p>
        {/* Narrow, so that the words break at the same place with every font. */}
        <p className="max-w-80 text-small text-ink-2">
          {hero.signUp} {hero.child}
        </p>
        <LanguageLink path="/" />
        {/* In narrow windows below the drawing, on the ground next to the line, because a reserved place would be a hole. */}
        <Island
          name="hero-stats"
          className="absolute bottom-[calc(1.5rem-var(--pad))] left-[calc(var(--exit)+1.5rem)] text-small/snug text-balance lg:static print:static"
        >
          <HeroStats words={useWords(ISLANDS)['hero-stats']} />
        </Island>
      </div>
      <InlineDrawing
        svg={heroScene}
        className="-mx-gutter w-screen max-w-none lg:absolute lg:bottom-0 lg:left-[47%] lg:-z-1 lg:mx-0 lg:w-[calc(53%+var(--gutter))]"
        data-arrive=""
      />
    </section>
  );
}
