import captureInline from 'virtual:inline/capture';
import { site } from 'virtual:site';
import { CtaLink } from '#components/cta-link.tsx';
import { InlineScript } from '#components/inline-script.tsx';
import { Island } from '#components/island.tsx';
import { withArticle } from '#contract/with-article.ts';
import { HeroScene } from '#illustrations/hero-scene.tsx';
import { HeroStats } from '#islands/hero-stats.tsx';

export function Hero() {
  return (
    <section className="hero wrap" aria-labelledby="top">
      <div className="hero-words">
        <p className="eyebrow">For families living with spinal muscular atrophy (SMA)</p>
        <h1 id="top" tabIndex={-1}>
          Many records. <br />
          One road forward.
        </h1>
        <p className="lede">
          {withArticle(site.productName, 'The')} is a nationwide patient data initiative. Link your
          health records from different providers in one private space. See gaps in your care. Share
          data for research, if you choose.
        </p>
        {/* Before the first link that counts, so that none can be used before it is armed; after the words, so that the
            first paint need not wait for it. */}
        <InlineScript code={captureInline} />
        <CtaLink cta="hero" />
        <p className="small text-ink-2">You sign up with {site.partnerName}, our partner.</p>
        <Island name="hero-stats">
          <HeroStats />
        </Island>
      </div>
      <HeroScene className="hero-art" />
    </section>
  );
}
