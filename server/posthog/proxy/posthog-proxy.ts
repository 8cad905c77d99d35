/**
 * Proxy for PostHog on our own origin: the one path that posthog-js needs, passed on to one fixed host. Visitors' browsers
 * connect to no third party, and cookies are not passed on.
 *
 * posthog-js repeats a request after a 503, and drops its events after a 4xx.
 */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import type { Config } from '../../config.ts';
import { loggedAddress } from '../../http/address.ts';
import { HttpError, unavailable } from '../../http/http-error.ts';
import { ANY_TYPE } from '../../http/json-body.ts';
import { perMinute } from '../../http/rate-limit/rate-limit.ts';
import { refuseCrossSite, setApiHeaders } from '../../http/security.ts';
import { wantsPrivacy } from '../../http/wants-privacy.ts';
import type { Capture, SendResult } from '../capture/capture.ts';
import type { CompleteEvent } from '../complete-event.ts';
import { isFinal } from '../receipts.ts';
import { decodeEvents } from './decode-events.ts';
import { createForwarder } from './forward-once.ts';
import { eventsFromBrowser } from './from-browser.ts';
import { createGate } from './gate.ts';
import { MAX_JSON_BYTES } from './unpack.ts';

/** Upper bound for events in a form field: base64, with some characters percent-encoded. */
const BODY_BYTES = 1.5 * MAX_JSON_BYTES;
/** Upper bound for bodies read at the same time. It bounds memory, however slowly they arrive. */
const OPEN_BODIES = 100;
/** Upper bound for requests that are checked or passed on at the same time, because PostHog may not answer. */
const IN_FLIGHT = 20;
const RETRY_AFTER_S = 10;

/** The answer that posthog-js accepts as success. It would repeat the request after any other 2xx. */
const OK = { status: 'Ok' };

/** Called with the result of each request to PostHog, and with the events that it carried. */
export type OnSent = (result: SendResult, events: CompleteEvent[]) => void;

interface Options {
  config: Config;
  /** PostHog's project key of this build. */
  key: string;
  /** Host names of the partner and its portal. */
  partnerHosts: readonly string[];
  capture: Capture;
  onSent?: OnSent | undefined;
}

export async function posthog(
  app: FastifyInstance,
  { config, key, partnerHosts, capture, onSent = () => {} }: Options,
): Promise<void> {
  const forwardOnce = createForwarder();
  const inFlight = createGate(IN_FLIGHT);
  app.addHook('onRequest', setApiHeaders);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(ANY_TYPE, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.post<{ Querystring: Record<string, unknown> }>(
    `${POSTHOG_PROXY_PATH}/e/`,
    {
      bodyLimit: BODY_BYTES,
      config: { rateLimit: eventLimit(config) },
      onRequest: [refuseCrossSite, boundOpenBodies()],
    },
    async (request) => {
      if (wantsPrivacy(request.headers)) return OK;
      const body = takeBody(request);
      if (!inFlight.enter()) throw tooBusy();
      try {
        const sent = await decodeEvents(body, key, request.query);
        const address = config.posthogSendIp ? loggedAddress(request.ip, config.logIp) : null;
        const userAgent = request.headers['user-agent'] ?? '';
        const events = eventsFromBrowser(sent, { userAgent, address, partnerHosts });
        const results = await forwardOnce(events, async (fresh) => {
          const result = await capture.send(fresh, { userAgent });
          onSent(result, fresh);
          return result;
        });
        results.forEach(checkResult);
      } finally {
        inFlight.leave();
      }
      return OK;
    },
  );
}

/** Answers 503 over the limit instead of 429, after which posthog-js would drop the events. */
function eventLimit({ rateLimit }: Config) {
  const limit = perMinute(rateLimit.events);
  return (
    limit && {
      ...limit,
      errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
        unavailable('Too many events from this address.', Math.ceil(ttl / 1000)),
    }
  );
}

/** A hook that counts a request until its body is read or its connection is broken. */
function boundOpenBodies(): onRequestHookHandler {
  const open = createGate(OPEN_BODIES);
  return (request, _reply, done) => {
    if (!open.enter()) return done(tooBusy());
    request.raw.once('close', open.leave);
    done();
  };
}

/** Drops the body, because a request stays in memory while its answer waits for others on the same connection. */
function takeBody(request: FastifyRequest): Buffer {
  // Fastify does not parse an empty body.
  const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
  request.body = null;
  return body;
}

const tooBusy = () => unavailable('Too many events at the same time.', RETRY_AFTER_S);

/** @throws HttpError if PostHog may still take one of the events, or refuses them */
function checkResult({ outcomes, trouble, retryAfterMs }: SendResult): void {
  if (outcomes.every(({ verdict }) => isFinal(verdict))) return;
  const cause = trouble && new Error(trouble.message);
  // Repetitions would not help for hours. The server completes the clicks from the ledger.
  if (trouble?.kind === 'over_quota') return;
  if (trouble?.kind === 'refused') {
    throw new HttpError(400, 'events_refused', 'PostHog does not take these events.', { cause });
  }
  const retryAfterS = Math.max(Math.ceil((retryAfterMs ?? 0) / 1000), RETRY_AFTER_S);
  throw unavailable('PostHog cannot take events just now.', retryAfterS, cause);
}
