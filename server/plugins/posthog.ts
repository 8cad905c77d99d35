/**
 * PostHog under our own roof: the one path that posthog-js needs, passed on to one fixed place. Visitors' browsers
 * talk to nobody else, and cookies stay here.
 *
 * posthog-js repeats what is answered with 503, and drops what is answered with 4xx.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import { loggedAddress } from '../address.ts';
import type { Config } from '../config.ts';
import { HttpError, unavailable } from '../http-error.ts';
import { decodeEvents } from '../posthog/decode-events.ts';
import { createForwarder } from '../posthog/forward-once.ts';
import { withholdAddress } from '../posthog/withhold-address.ts';
import { wantsPrivacy } from '../wants-privacy.ts';
import { perMinute } from './rate-limit.ts';
import { refuseCrossSite, setApiHeaders } from './security.ts';

const BODY_BYTES = 1024 * 1024;
const UPSTREAM_TIMEOUT_MS = 5000;
const RETRY_AFTER_S = 10;

/** What posthog-js takes for success; any other 2xx it would repeat. */
const OK = { status: 'Ok' };

export async function posthog(app: FastifyInstance, { config }: { config: Config }): Promise<void> {
  const forwardOnce = createForwarder();
  app.addHook('onRequest', setApiHeaders);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(
    `${POSTHOG_PROXY_PATH}/e/`,
    {
      bodyLimit: BODY_BYTES,
      config: { rateLimit: perMinute(config.rateLimit.other) },
      onRequest: refuseCrossSite,
    },
    async (request) => {
      if (wantsPrivacy(request.headers)) return OK;
      const decoded = await decodeEvents(request.body as Buffer);
      const address = config.posthogSendIp ? loggedAddress(request.ip, config.logIp) : null;
      const headers = headersFor(request, address);
      if (address === null) decoded.events = decoded.events.map(withholdAddress);
      await forwardOnce(decoded, (message) => send(config.posthogHost, headers, message));
      return OK;
    },
  );
}

/** What PostHog may know of the visitor's connection: the browser, and the address if there is one; never a cookie. */
function headersFor(request: FastifyRequest, address: string | null): Record<string, string> {
  const userAgent = request.headers['user-agent'];
  return {
    'content-type': 'application/json',
    ...(address && { 'x-forwarded-for': address }),
    ...(userAgent && { 'user-agent': userAgent }),
  };
}

async function send(
  host: string,
  headers: Record<string, string>,
  message: unknown,
): Promise<void> {
  const answer = await fetch(`${host}/e/`, {
    method: 'POST',
    headers,
    body: JSON.stringify(message),
    redirect: 'error',
    signal: AbortSignal.timeout(UPSTREAM_TIMEOUT_MS),
  }).catch((cause) => {
    throw unavailable('PostHog cannot be reached.', RETRY_AFTER_S, cause);
  });
  await answer.body?.cancel();
  if (answer.ok) return;
  const cause = new Error(`PostHog answered ${answer.status}`);
  if (answer.status >= 500 || answer.status === 429 || answer.status === 408) {
    throw unavailable('PostHog cannot take events just now.', RETRY_AFTER_S, cause);
  }
  throw new HttpError(400, 'events_refused', 'PostHog does not take these events.', { cause });
}
