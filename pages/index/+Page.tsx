import { Island } from '#components/island.tsx';
import { Toaster } from '#components/islands/toaster.tsx';
import { useWords } from '#components/language.tsx';
import { ProgressBar } from '#components/progress-bar.tsx';
import { SiteHeader } from '#components/site-header.tsx';
import { VisitScript } from '#components/visit-script.tsx';
import { ISLANDS } from '#words/islands.ts';
import { Benefits } from './benefits.tsx';
import { Closing } from './closing.tsx';
import { Footer } from './footer.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { PageStyle } from './page-style.tsx';
import { Privacy } from './privacy.tsx';
import { Problem } from './problem.tsx';
import { Testimonials } from './testimonials.tsx';

export function Page() {
  return (
    <>
      <SiteHeader isHome />
      <ProgressBar />
      <main id="main" tabIndex={-1}>
        <Hero />
        {/* Here, and not in the head, because the browser then paints the hero before it parses the rest. */}
        <VisitScript />
        {/* After the scripts, because a script waits for each style sheet before it. */}
        <PageStyle />
        <Problem />
        <HowItWorks />
        <Benefits />
        <Privacy />
        <Testimonials />
        <Closing />
      </main>
      <Footer />
      <Island name="toaster">
        <Toaster words={useWords(ISLANDS).toaster} />
      </Island>
    </>
  );
}
