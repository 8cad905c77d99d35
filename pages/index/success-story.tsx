import { Lined } from '#components/signal-line.tsx';

/** Another illness shows that it works. The words carry the numbers; the bars only draw them. */
export function SuccessStory() {
  return (
    <Lined className="story-row">
      <figure className="story" data-reveal="" aria-labelledby="story">
        <figcaption>
          <p className="eyebrow">A success story</p>
          <h3 id="story">Shared data changed cystic fibrosis</h3>
          <p>
            People with cystic fibrosis (CF) began to share their data in one registry in 1966.
            Clinics could compare what worked, and learned from each other. Better care and new
            drugs followed.
          </p>
        </figcaption>
        <dl className="bars grid content-start gap-1">
          <dt>Life expectancy with CF: a forecast for babies born now</dt>
          <dd>
            <strong>over 65 years</strong>
            <Bar width="85%" />
          </dd>
          <dt className="mt-5">Life expectancy of everyone in the US</dt>
          <dd>
            <strong>about 78 years</strong>
            <Bar width="100%" />
          </dd>
        </dl>
        <p className="small text-ink-2 source">
          Sources: Cystic Fibrosis Foundation Patient Registry; Centers for Disease Control and
          Prevention, 2023.
        </p>
      </figure>
    </Lined>
  );
}

function Bar({ width }: { width: string }) {
  return (
    <svg className="bar" width="100%" height="20" aria-hidden="true">
      <rect width={width} height="20" />
    </svg>
  );
}
