import { CtaLink } from '#components/cta-link.tsx';
import heroScene from '#components/drawings/hero.svg?raw';
import { InlineDrawing } from '#components/inline-drawing.tsx';
import { ClickStub } from '#components/inline-scripts.tsx';
import { usePath, useWords } from '#components/language.tsx';
import { LANDING } from '#words/index.ts';

export function Hero() {
  const { hero, join } = useWords(LANDING);
  const path = usePath();
  return (
    <section className="hero">
      <div data-arrive="waiting">
        <p className="audience">{hero.audience}</p>
        <h1 id="top" tabIndex={-1}>
          {hero.headline[0]} <br />
          {hero.headline[1]}
        </h1>
        <p className="purpose">{hero.purpose}</p>
        {/*
         * The stub is before the first call to action, so that no click is lost, and after the
         * text, so that the first paint does not wait for the stub.
         */}
        <ClickStub />
        <div className="join">
          <div>
            <CtaLink cta="hero">{join}</CtaLink>
          </div>
          <p>{hero.signUp}</p>
        </div>
        <ul className="facts">
          {hero.facts.map(({ label, answer, page }) => (
            <li key={label}>
              <a href={path(page)}>
                <b>{label}</b> <span>{answer}</span>
              </a>
            </li>
          ))}
        </ul>
        {/* components/hero-stats.ts writes the number of clicks into this element. */}
        <div data-stats="" />
      </div>
      <InlineDrawing svg={heroScene} label={hero.drawing} />
    </section>
  );
}
