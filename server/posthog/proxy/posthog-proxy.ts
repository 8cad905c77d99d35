/**
 * Proxy for PostHog on our own origin: the one path that posthog-js needs, passed on to one fixed host. Visitors' browsers
 * connect to no third party, and cookies are not passed on.
 *
 * posthog-js repeats a request after a 503, and drops its events after a 4xx.
 */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { MAX_USER_AGENT, POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import type { Overload } from '../../clicks/overload.ts';
import type { ReferrerSettings } from '../../clicks/referring-domain.ts';
import type { Config } from '../../config.ts';
import { loggedAddress, rateLimitKey } from '../../http/address.ts';
import { createGate, createKeyedGate } from '../../http/gate.ts';
import { unavailable } from '../../http/http-error.ts';
import { ANY_TYPE } from '../../http/json-body.ts';
import { perMinute } from '../../http/rate-limit/rate-limit.ts';
import { refuseCrossSite, setApiHeaders } from '../../http/security.ts';
import { wantsPrivacy } from '../../http/wants-privacy.ts';
import type { Posthog } from '../open-posthog.ts';
import { decodeEvents } from './decode-events.ts';
import { createDelivery, RETRY_AFTER_S } from './deliver.ts';
import { createForwarder } from './forward-once.ts';
import { eventsFromBrowser } from './from-browser.ts';
import { MAX_JSON_BYTES } from './unpack.ts';

/** Upper bound for events in a form field: base64, with some characters percent-encoded. */
const BODY_BYTES = 1.5 * MAX_JSON_BYTES;
/** Upper bound for bodies read at the same time. It bounds memory, however slowly they arrive. */
const OPEN_BODIES = 100;
/** Upper bound for those of one address, so that slow bodies of one sender leave room for all others. */
const OPEN_BODIES_PER_ADDRESS = OPEN_BODIES / 5;
/** Upper bound for requests that are checked or passed on at the same time, because PostHog may not answer. */
const IN_FLIGHT = 20;

/** The answer that posthog-js accepts as success. It would repeat the request after any other 2xx. */
const OK = { status: 'Ok' };

interface Options {
  config: Config;
  referrer: ReferrerSettings;
  posthog: Posthog;
  overload: Pick<Overload, 'refuseRequest'>;
}

export async function posthogProxy(
  app: FastifyInstance,
  { config, referrer, posthog, overload }: Options,
): Promise<void> {
  const forwardOnce = createForwarder();
  const deliver = createDelivery(posthog);
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
      onRequest: [overload.refuseRequest, refuseCrossSite, boundOpenBodies()],
    },
    async (request) => {
      if (wantsPrivacy(request.headers)) return OK;
      const body = takeBody(request);
      if (!inFlight.enter()) throw tooBusy();
      try {
        const sent = await decodeEvents(body, posthog.key, request.query);
        const address = config.posthogSendIp ? loggedAddress(request.ip, config.logIp) : null;
        const userAgent = (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT);
        const events = eventsFromBrowser(sent, { userAgent, address, referrer, now: Date.now() });
        await forwardOnce(events, (fresh) => deliver(fresh, userAgent));
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
  const ofAddress = createKeyedGate(OPEN_BODIES_PER_ADDRESS);
  return (request, _reply, done) => {
    const address = rateLimitKey(request.ip);
    if (!ofAddress.enter(address)) return done(tooBusy());
    if (!open.enter()) {
      ofAddress.leave(address);
      return done(tooBusy());
    }
    let isOpen = true;
    const leave = () => {
      if (!isOpen) return;
      isOpen = false;
      open.leave();
      ofAddress.leave(address);
    };
    request.raw.once('end', leave).once('close', leave);
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
