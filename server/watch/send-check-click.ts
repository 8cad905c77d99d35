/**
 * Sends one click of a robot to a running site: for the walk, and for `site check --url`. No figure
 * counts it.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { ClickBody } from '#contract/click-fields.schema.ts';
import { CTAS } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';

/** Marks every request of a check or a walk as a robot's. */
export const CHECK_USER_AGENT = 'SiteCheck (bot)';
/** Characters shown of an answer that is not this server's, such as a proxy's page. */
const SHOWN_CHARACTERS = 200;

interface Tools {
  fetch?: typeof fetch | undefined;
  signal: AbortSignal;
}

/**
 * @returns the answer if it is not `logged`: `403 Request blocked`; null: it is `logged`
 * @throws (rejects with) an Error if nothing answers
 */
export async function sendCheckClick(site: URL, tools: Tools): Promise<string | null> {
  const { fetch: send = fetch, signal } = tools;
  const click: ClickBody = {
    event: CTAS.hero.event,
    id: randomUUIDv7(),
    timestamp: new Date().toISOString(),
    page_url: site.href,
    user_agent: CHECK_USER_AGENT,
    referrer: null,
    ip: null,
    is_mobile: false,
  };
  const answer = await send(new URL(LOG_CTA_PATH, site), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': CHECK_USER_AGENT },
    body: JSON.stringify(click),
    redirect: 'manual',
    signal,
  });
  const text = await answer.text();
  if (answer.status === 200 && text.includes('"status":"logged"')) return null;
  const to = answer.headers.get('location');
  const wrongAnswer = [answer.status, to && `to ${to}`, text.slice(0, SHOWN_CHARACTERS)];
  return wrongAnswer.filter(Boolean).join(' ');
}
