import { useWords } from '#components/language.tsx';
import { Lined } from '#components/signal-line.tsx';
import { LANDING } from '#words/index.ts';

/** The pages that show the figures of 2023, as read in November 2026. */
const REGISTRY_URL = 'https://www.cff.org/managing-cf/understanding-changes-life-expectancy';
const STATISTICS_URL = 'https://www.cdc.gov/nchs/products/databriefs/db521.htm';

/** The success in another illness. The words contain the numbers; the bars only draw them. */
export function SuccessStory() {
  const { success } = useWords(LANDING);
  return (
    <Lined line="[--down:var(--pad)]" className="pt-[clamp(3rem,7vw,6rem)]">
      <figure
        className="-mr-gutter grid gap-8 bg-sand p-[clamp(1.5rem,4vw,4rem)] lg:-mr-bleed lg:ml-[8.333%] lg:grid-cols-[5fr_6fr] lg:gap-x-16 lg:pr-bleed edged:border-fine"
        data-reveal=""
        aria-labelledby="story"
      >
        <figcaption className="grid content-start gap-3">
          <p className="text-body/snug font-bold">{success.label}</p>
          <h3 id="story">{success.title}</h3>
          <p className="mt-1.5">{success.text}</p>
        </figcaption>
        <dl className="grid content-start gap-1">
          <dt>{success.withCf}</dt>
          <dd>
            <strong className="font-display text-figure">{success.withCfFigure}</strong>
            <Bar width="85%" className="fill-bar" />
          </dd>
          <dt className="mt-5">{success.everyone}</dt>
          <dd>
            <strong className="font-display text-figure">{success.everyoneFigure}</strong>
            <Bar width="100%" className="fill-line" />
          </dd>
        </dl>
        <div className="grid gap-2 text-small text-ink-2 lg:col-span-full">
          <p className="text-balance">{success.forecasts}</p>
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

function Bar({ width, className }: { width: string; className: string }) {
  return (
    <svg
      className={`mt-2 border-fine border-bar ${className}`}
      width="100%"
      height="20"
      aria-hidden="true"
    >
      <rect width={width} height="20" />
    </svg>
  );
}
