/** Sends one click to a running site. Its user agent is a robot's, so that no figure counts it. */
import { randomUUIDv7 } from 'node:crypto';
import { CTAS } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import type { ClickBody } from '#contract/log-cta.schema.ts';
import { explainFailure } from './explain-failure.ts';

const ROBOT = 'SiteCheck (bot)';
/** A server answers within 4 s. */
const PATIENCE_MS = 10_000;
/** Of an answer that is not ours, such as a proxy's page. */
const SHOWN_CHARACTERS = 200;

/** @throws (rejects with) an Error that says what came instead of the answer `logged` */
export async function sendClick(site: URL): Promise<void> {
  const click: ClickBody = {
    event: CTAS.hero.event,
    id: randomUUIDv7(),
    timestamp: new Date().toISOString(),
    page_url: site.href,
    user_agent: ROBOT,
    referrer: null,
    ip: null,
    is_mobile: false,
  };
  const answer = await fetch(new URL(LOG_CTA_PATH, site), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': ROBOT },
    body: JSON.stringify(click),
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((cause) => {
    throw explainFailure(`The site (${site.origin})`, '--url', cause);
  });
  const text = await answer.text();
  if (answer.status === 200 && text.includes('"status":"logged"')) return;
  const to = answer.headers.get('location');
  const came = [answer.status, to && `to ${to}`, text.slice(0, SHOWN_CHARACTERS)].filter(Boolean);
  throw new Error(
    `The site (${site.origin}) did not answer a click with "logged", but with ${came.join(' ')}`,
  );
}
