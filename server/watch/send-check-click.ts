/**
 * Sends one click of a robot to a running site, for the walk and for `site check --url`. The server
 * stores the click, and the report leaves it out.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { ClickBody } from '#contract/click-fields.schema.ts';
import { CTAS } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';

/** User agent of a check and of a walk. "bot" makes every server count the request as a robot's. */
export const CHECK_USER_AGENT = 'SiteCheck (bot)';
/**
 * Upper bound for the characters that a message quotes of a wrong answer, such as a proxy's page.
 */
const SHOWN_CHARACTERS = 200;

interface Tools {
  fetch?: typeof fetch | undefined;
  signal: AbortSignal;
}

/**
 * Sends the click.
 *
 * @returns the wrong answer: `403 Request blocked`. null: the server has answered `logged`
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
