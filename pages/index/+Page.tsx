import { EntranceScript, VisitScript } from '#components/inline-scripts.tsx';
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
      <SiteHeader pagePath="/" />
      {/* The progress bar of the scroll position. browser/page/follow-scroll.ts sets its width. */}
      <div data-progress="" aria-hidden="true" />
      <main id="main" tabIndex={-1}>
        <Hero />
        {/* The scripts are below the hero and not in the head, so that they delay no paint of it. */}
        <EntranceScript />
        <VisitScript />
        {/*
         * The style sheet of the sections below the hero. The hero needs only the inline first.css,
         * so that the browser paints it while this file loads. The link is after the scripts,
         * because a script waits for every style sheet before it.
         */}
        <link rel="stylesheet" href={pageStyle} fetchPriority="low" />
        <Problem />
        <HowItWorks />
        <Benefits />
        <Privacy />
        <Testimonials />
        <Closing />
      </main>
      <Footer />
      {/* The live region of the toasts. components/islands/toasts.ts fills it. */}
      <p className="sr-only" role="status" data-toasts="" />
    </>
  );
}
