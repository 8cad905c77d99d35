import { VisitScript } from '#components/inline-scripts.tsx';
import { Island } from '#components/island.tsx';
import { Toaster } from '#components/islands/toaster.tsx';
import { SiteHeader } from '#components/site-header.tsx';
import pageStyle from '#renderer/page.css?url';
import { Benefits } from './benefits.tsx';
import { Closing } from './closing.tsx';
import { Footer } from './footer.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { Privacy } from './privacy.tsx';
import { Problem } from './problem.tsx';
import { Testimonials } from './testimonials.tsx';

export function Page() {
  return (
    <>
      <SiteHeader at="/" />
      {/* How far the page is scrolled, which is decoration. browser/page/follow-scroll.ts sets its width. */}
      <div data-progress="" aria-hidden="true" />
      <main id="main" tabIndex={-1}>
        <Hero />
        {/* Here, and not in the head, because the browser then paints the hero before it parses the rest. */}
        <VisitScript />
        {/* The browser loads it while it shows the hero, for which first.css is enough. After the scripts, because a script waits
            for each style sheet before it. */}
        <link rel="stylesheet" href={pageStyle} fetchPriority="low" />
        <Problem />
        <HowItWorks />
        <Benefits />
        <Privacy />
        <Testimonials />
        <Closing />
      </main>
      <Footer />
      <Island name="toaster">
        <Toaster />
      </Island>
    </>
  );
}
