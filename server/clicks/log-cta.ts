/** POST /api/log-cta: takes one click on a call to action, and answers when it is in the table and in the log. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isCtaEvent } from '#contract/cta.ts';
import { LOG_CTA_PATH, MAX_CLICK_BODY_BYTES, MAX_USER_AGENT } from '#contract/limits.ts';
import type { LogCtaAnswer } from '#contract/log-cta.schema.ts';
import { loggedAddress } from '../http/address.ts';
import { sendError, toHttpError } from '../http/errors.ts';
import { HttpError, unavailable } from '../http/http-error.ts';
import { readJsonBodies } from '../http/json-body.ts';
import { perMinute } from '../http/rate-limit.ts';
import { refuseCrossSite, setApiHeaders } from '../http/security.ts';
import { wantsPrivacy } from '../http/wants-privacy.ts';
import type { Settings } from '../settings.ts';
import { type ClickSettings, makeClick, type Reception } from './click.ts';
import { readClick, readPing } from './read-click.ts';
import type { Recorder } from './record-clicks.ts';
import { redactAddresses, redactBody } from './redact-addresses.ts';
import type { RefusedLog } from './refused-log.ts';

interface Options {
  config: Settings;
  site: ClickSettings;
  recorder: Recorder;
  refusedLog: RefusedLog;
}

/** Long enough to free a full disk, short enough that a visitor's tab may still be open. */
const RETRY_AFTER_S = 5;

export async function logCta(app: FastifyInstance, options: Options): Promise<void> {
  const { config, site, recorder, refusedLog } = options;
  // A beacon's JSON comes as text, because `application/json` would need a question before it.
  readJsonBodies(app, ['application/json', 'text/plain']);
  app.addContentTypeParser('text/ping', { parseAs: 'string' }, (request, text, done) => {
    request.bodyText = String(text);
    done(null, PING);
  });
  app.post(
    LOG_CTA_PATH,
    {
      bodyLimit: MAX_CLICK_BODY_BYTES,
      config: { rateLimit: perMinute(config.rateLimit.clicks) },
      onRequest: [setApiHeaders, refuseCrossSite],
      errorHandler: (cause, request, reply) => {
        const error = toHttpError(cause);
        if (isOfBody(error)) refusedLog.add(describeRefused(error, request, site));
        sendError(error, request, reply);
      },
    },
    async (request, reply): Promise<LogCtaAnswer> => {
      const receivedAt = Date.now();
      const body = request.body === PING ? readPing(request, receivedAt) : request.body;
      const seen = receptionOf(request, receivedAt);
      const click = makeClick(readClick(body, receivedAt), seen, site);
      try {
        const status = await recorder.record(click);
        // The server keeps the click. The browser repeats it until a server that knows the event answers.
        if (!isCtaEvent(click.event)) reply.code(202);
        return { status, id: click.id };
      } catch (cause) {
        if (cause instanceof HttpError) throw cause;
        throw unavailable('The click could not be written. Send it again.', RETRY_AFTER_S, cause);
      }
    },
  );
}

/** Placeholder for the body of a ping, whose click is in the request's headers and URL. */
const PING = Symbol('ping');

function receptionOf(request: FastifyRequest, receivedAt: number): Reception {
  return {
    remoteIp: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT),
    via: viaOf(request),
    receivedAt,
    reqId: request.id,
    wantsPrivacy: wantsPrivacy(request.headers),
  };
}

function viaOf(request: FastifyRequest): Reception['via'] {
  if (request.body === PING) return 'ping';
  return (request.query as { via?: unknown }).via === 'beacon' ? 'beacon' : 'fetch';
}

/** Selects the answers after which a client does not retry. It does retry after 429 and 503. */
function isOfBody({ statusCode }: HttpError): boolean {
  return [400, 413, 415].includes(statusCode);
}

/** Upper bound for the address and the content type of a refused request, in characters. */
const MAX_REFUSED_TEXT = 256;

function describeRefused(error: HttpError, request: FastifyRequest, { logIp }: ClickSettings) {
  const policy = wantsPrivacy(request.headers) ? 'none' : logIp;
  return {
    reason: error.code,
    fields: error.fields,
    body: redactBody(request.bodyText, policy),
    url: redactAddresses(request.url.slice(0, MAX_REFUSED_TEXT), policy),
    content_type: request.headers['content-type']?.slice(0, MAX_REFUSED_TEXT) ?? null,
    remote_ip: loggedAddress(request.ip, policy),
    received_at: new Date().toISOString(),
  };
}
