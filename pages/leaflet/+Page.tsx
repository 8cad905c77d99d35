import { site } from 'virtual:site';
import { BrandMark } from '#components/brand-mark.tsx';
import leafletScene from '#components/drawings/leaflet.svg?raw';
import { InlineDrawing } from '#components/inline-drawing.tsx';
import { useWords } from '#components/language.tsx';
import { LANDING, LEAFLET } from '#words/index.ts';

/**
 * One sheet of paper for a clinic. It has no URL: `site link` fills in the places in capitals (server/commands/link.ts) and
 * writes a file that needs no other file. renderer/leaflet.css has its style.
 */
export function Page() {
  const { hero, howItWorks } = useWords(LANDING);
  const words = useWords(LEAFLET);
  return (
    <main>
      <header>
        <p className="product">
          <BrandMark />
          {site.productName}
        </p>
        <p className="audience">{hero.audience}</p>
        <h1>
          {hero.headline[0]} <br />
          {hero.headline[1]}
        </h1>
        <p className="purpose">{hero.purpose}</p>
      </header>
      <InlineDrawing svg={leafletScene} />
      <section className="way" aria-labelledby="open">
        <a
          className="code"
          href="LEAFLET_URL"
          aria-label={`${words.code}: LEAFLET_HOSTLEAFLET_PATH`}
        >
          LEAFLET_CODE
        </a>
        <div>
          <h2 id="open">{words.scan}</h2>
          <p>{words.type}</p>
          <p className="address" data-length="LEAFLET_LENGTH">
            <a href="LEAFLET_SHORT_URL" aria-label="LEAFLET_HOSTLEAFLET_PATH">
              <span>LEAFLET_HOST</span>
              <span>LEAFLET_PATH</span>
            </a>
          </p>
          <p>{words.signUp}</p>
        </div>
      </section>
      <dl>
        {Object.values(howItWorks.steps).map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <footer>
        <p>
          {words.control} <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>
        </p>
      </footer>
    </main>
  );
}
