import { useWords } from '#components/language.tsx';
import { Lined } from '#components/signal-line.tsx';
import { LANDING } from '#words/index.ts';

/** Sources of the figures, as they were in November 2026. */
const REGISTRY_URL = 'https://www.cff.org/managing-cf/understanding-changes-life-expectancy';
const STATISTICS_URL = 'https://www.cdc.gov/nchs/products/databriefs/db548.htm';

/**
 * What patient data has achieved in cystic fibrosis (CF): two life expectancies as bars. The bars
 * are decoration, because the text has the numbers.
 */
export function SuccessStory() {
  const { success } = useWords(LANDING);
  return (
    <Lined line="[--down:var(--pad)]" className="pt-pad">
      <figure className="story" data-reveal="" aria-labelledby="story">
        <figcaption>
          <p className="text-body/snug font-bold">{success.label}</p>
          <h3 id="story">{success.title}</h3>
          <p className="mt-1.5">{success.text}</p>
        </figcaption>
        <div>
          <dl className="grid content-start">
            <dt>{success.withCf}</dt>
            <dd>
              <strong>{success.withCfFigure}</strong>
              {/* The axis is 79 years: the bar's 85 % are 67 years, the notch at 77.2 % is at 61 years. */}
              <svg className="mt-2" width="100%" height="28" aria-hidden="true">
                <rect className="fill-bar" width="85%" height="28" />
                <rect className="fill-sand" x="77.2%" width="3" height="28" />
              </svg>
              <p className="mt-2 text-small text-ink-2">{success.forecasts}</p>
            </dd>
            <dt className="mt-6">{success.everyone}</dt>
            <dd>
              <strong>{success.everyoneFigure}</strong>
              <svg className="mt-2" width="100%" height="12" aria-hidden="true">
                <rect className="fill-line" width="100%" height="12" />
              </svg>
            </dd>
          </dl>
          {/* The axis below both bars, in years. */}
          <p aria-hidden="true">
            <span>0</span> <span>79</span>
          </p>
        </div>
        <div className="grid gap-2 text-small text-ink-2">
          <p>{success.method}</p>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <span className="max-sm:w-full">{success.sources}</span>
            <Source href={REGISTRY_URL}>{success.registry}</Source>
            <Source href={STATISTICS_URL}>{success.statistics}</Source>
          </p>
        </div>
      </figure>
    </Lined>
  );
}

function Source({ href, children }: { href: string; children: string }) {
  return (
    <a className="inline-flex min-h-11 items-center" href={href}>
      {children}
    </a>
  );
}
