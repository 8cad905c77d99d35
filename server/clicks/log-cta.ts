/** POST /api/log-cta: takes one click on a call to action, and answers when its line is on the disk. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isCtaEvent } from '#contract/cta.ts';
import { LOG_CTA_PATH, MAX_CLICK_BODY_BYTES, MAX_USER_AGENT } from '#contract/limits.ts';
import type { LogCtaAnswer } from '#contract/log-cta.schema.ts';
import type { Config } from '../config.ts';
import { loggedAddress } from '../http/address.ts';
import { sendError, toHttpError } from '../http/errors.ts';
import { type HttpError, unavailable } from '../http/http-error.ts';
import { readJsonBodies } from '../http/json-body.ts';
import { perMinute } from '../http/rate-limit/rate-limit.ts';
import { refuseCrossSite, setApiHeaders } from '../http/security.ts';
import { wantsPrivacy } from '../http/wants-privacy.ts';
import { makeClickLine, type Via } from './click-line.ts';
import { type Moment, makeClock } from './moment.ts';
import type { Overload } from './overload.ts';
import { readClick, readPing } from './read-click.ts';
import type { Recorder } from './record-clicks.ts';
import { redactAddresses, redactBody } from './redact-addresses.ts';
import type { ReferrerSettings } from './referring-domain.ts';
import type { RejectedBodies } from './rejected-bodies.ts';

interface Options {
  config: Config;
  referrer: ReferrerSettings;
  recorder: Recorder;
  rejectedBodies: RejectedBodies;
  overload: Pick<Overload, 'refuseRequest'>;
}

/** A page of another origin sends its last clicks as text, because `application/json` would need a CORS preflight. */
const ACROSS = ['application/json', 'text/plain'];

/** Long enough to free a full disk, short enough that a visitor's tab may still be open. */
const RETRY_AFTER_S = 5;

export async function logCta(app: FastifyInstance, options: Options): Promise<void> {
  const { config, recorder } = options;
  const settings = { ...options.referrer, logIp: config.logIp };
  const now = makeClock();
  readJsonBodies(app, config.corsOrigins.length > 0 ? ACROSS : undefined);
  app.addContentTypeParser('text/ping', { parseAs: 'string' }, (request, text, done) => {
    request.bodyText = String(text);
    done(null, PING);
  });
  app.post(
    LOG_CTA_PATH,
    {
      bodyLimit: MAX_CLICK_BODY_BYTES,
      config: { rateLimit: perMinute(config.rateLimit.clicks) },
      onRequest: [options.overload.refuseRequest, setApiHeaders, refuseCrossSite],
      errorHandler: (cause, request, reply) => {
        const error = toHttpError(cause);
        if (isRejectedBody(error))
          options.rejectedBodies.add(describeRejected(error, request, config));
        sendError(error, request, reply);
      },
    },
    async (request, reply): Promise<LogCtaAnswer> => {
      const receivedAt = now();
      const body = request.body === PING ? readPing(request, receivedAt) : request.body;
      const click = readClick(body, receivedAt);
      const line = makeClickLine(click, receptionOf(request, receivedAt), settings);
      try {
        const status = await recorder.record(line);
        // The server keeps the click. The browser repeats it until a server that knows the event answers.
        if (!isCtaEvent(line.event)) reply.code(202);
        return { status, id: line.id };
      } catch (cause) {
        throw unavailable('The click could not be written. Send it again.', RETRY_AFTER_S, cause);
      }
    },
  );
}

/** Placeholder for the body of a ping, whose click is in the request's headers and URL. */
const PING = Symbol('ping');

function receptionOf(request: FastifyRequest, receivedAt: Moment) {
  return {
    remoteIp: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT),
    via: viaOf(request),
    receivedAt,
    reqId: request.id,
    wantsPrivacy: wantsPrivacy(request.headers),
  };
}

function viaOf(request: FastifyRequest): Via {
  if (request.body === PING) return 'ping';
  return (request.query as { via?: unknown }).via === 'beacon' ? 'beacon' : 'fetch';
}

/** Selects the answers after which a client does not retry. It does retry after 429 and 503. */
function isRejectedBody({ statusCode }: HttpError): boolean {
  return [400, 413, 415].includes(statusCode);
}

/** Upper bound for the address and the content type of a rejected request, in characters. */
const MAX_REFUSED_TEXT = 256;

function describeRejected(error: HttpError, request: FastifyRequest, config: Config) {
  const policy = wantsPrivacy(request.headers) ? 'none' : config.logIp;
  return {
    reason: error.code,
    fields: error.fields,
    body: redactBody(request.bodyText, policy),
    url: redactAddresses(request.url.slice(0, MAX_REFUSED_TEXT), policy),
    contentType: request.headers['content-type']?.slice(0, MAX_REFUSED_TEXT) ?? null,
    remote_ip: loggedAddress(request.ip, policy),
    received_at: new Date().toISOString(),
  };
}
