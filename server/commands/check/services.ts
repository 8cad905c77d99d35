/** Tries the services that the settings name. Sends no data, except one click of a robot to `--url`. */
import { randomUUIDv7 } from 'node:crypto';
import { CTAS } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import type { ClickBody } from '#contract/log-cta.schema.ts';

/** Time for one service. */
const PATIENCE_MS = 5_000;

/** Connects and logs in as for a mail. @throws (rejects with) an Error that says what to do */
export async function reachSmtp(url: URL): Promise<void> {
  const { checkSmtp } = await import('../../mail/smtp.ts');
  await checkSmtp(url, PATIENCE_MS).catch((cause) => {
    throw explain(`The SMTP server (${url.host})`, 'SMTP_URL', cause, url.password);
  });
}

/** Any answer will do. @throws (rejects with) an Error that says what to do */
export async function reachPosthog(host: string): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  await fetch(host, { method: 'HEAD', redirect: 'manual', signal }).catch((cause) => {
    throw explain(`PostHog (${host})`, 'posthogHost in site.json', cause);
  });
}

/** A robot's, so that no figure counts the click. */
const USER_AGENT = 'SiteCheck (bot)';
/** Of an answer that is not ours, such as a proxy's page. */
const SHOWN_CHARACTERS = 200;

/** Sends one click to a running site. @throws (rejects with) an Error that says what came instead of the answer `logged` */
export async function sendClick(site: URL): Promise<void> {
  const click: ClickBody = {
    event: CTAS.hero.event,
    id: randomUUIDv7(),
    timestamp: new Date().toISOString(),
    page_url: site.href,
    user_agent: USER_AGENT,
    referrer: null,
    ip: null,
    is_mobile: false,
  };
  const answer = await fetch(new URL(LOG_CTA_PATH, site), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT },
    body: JSON.stringify(click),
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((cause) => {
    throw explain(`The site (${site.origin})`, '--url', cause);
  });
  const text = await answer.text();
  if (answer.status === 200 && text.includes('"status":"logged"')) return;
  const to = answer.headers.get('location');
  const came = [answer.status, to && `to ${to}`, text.slice(0, SHOWN_CHARACTERS)].filter(Boolean);
  throw new Error(
    `The site (${site.origin}) did not answer a click with "logged", but with ${came.join(' ')}`,
  );
}

/** @param cause error of a library, which may quote the password @returns an Error that says what to do */
export function explain(service: string, setting: string, cause: unknown, password = ''): Error {
  const correct = `Correct ${setting}.`;
  const start = `Start it, or correct ${setting}.`;
  const text = innermost(cause as Error);
  if (/ENOTFOUND|EAI_AGAIN|EDNS/.test(text))
    return new Error(`${service}: there is no such host. ${correct}`);
  if (/EAUTH/.test(text))
    return new Error(`${service}: it refuses the user or the password. ${correct}`);
  if (/ECONNREFUSED/.test(text)) return new Error(`${service}: it refuses connections. ${start}`);
  if (/timeout|ETIMEDOUT/i.test(text)) return new Error(`${service}: it does not answer. ${start}`);
  const shown = [password, decodeURIComponent(password)]
    .filter((secret) => secret !== '')
    .reduce((hidden, secret) => hidden.replaceAll(secret, '…'), text);
  return new Error(`${service}: ${shown}. ${correct}`);
}

/** The libraries report the system's code in the code, in the message, or in a cause. */
function innermost(error: NodeJS.ErrnoException): string {
  if (error.cause instanceof Error) return innermost(error.cause);
  return [error.code ?? error.name, error.message.replace(/\.$/, '')].filter(Boolean).join(': ');
}
