/**
 * POST /api/log-cta: takes one click on a call to action, and answers when it is in the table and
 * in the log.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ClickBody, clickSchema } from '#contract/click-fields.schema.ts';
import { isCtaEvent } from '#contract/cta.ts';
import {
  ID_AHEAD,
  LOG_CTA_PATH,
  MAX_PAGE_URL,
  MAX_REFERRER,
  MOBILE_USER_AGENT,
} from '#contract/limits.ts';
import { readQuery, readRef } from '#contract/ref.ts';
import { firstValues, sourceParameters } from '#contract/visit.ts';
import { type DatabaseFault, isDataError } from '../database/database.ts';
import { ID_AHEAD_MS, OLDEST_ID_MS } from '../http/browser-clock.ts';
import { sendError, toHttpError } from '../http/errors.ts';
import { HttpError, parseInput, readJsonBodies, unavailable } from '../http/http-error.ts';
import { perMinute } from '../http/rate-limit.ts';
import { userAgentOf } from '../http/robots.ts';
import { refuseCrossSite } from '../http/security.ts';
import type { RouteOptions } from '../settings.ts';
import { makeClickRow } from './click.ts';
import { timeOfId } from './id-time.ts';
import type { Recorder } from './record-clicks.ts';
import type { RefusedLog } from './refused-log.ts';
import type { ClockWatch, IdAge } from './watch-clock.ts';

interface Options extends RouteOptions {
  recorder: Recorder;
  refusedLog: RefusedLog;
  clock: ClockWatch;
  /** Counts the clicks that the server does not store. */
  metrics?: { miss(outcome: 'refused' | 'failed'): void } | null | undefined;
}

/** Upper bound for the body, in bytes. */
export const MAX_CLICK_BODY_BYTES = 4096;
/**
 * `Retry-After` when a click cannot be written, in seconds. It is long enough for an operator to
 * free a full disk, and short enough that the visitor's tab may still be open.
 */
const RETRY_AFTER_S = 5;
/**
 * `Retry-After` while the server's clock is in doubt, in seconds. An operator has to set the clock.
 */
const CLOCK_RETRY_AFTER_S = 60;
/** Statuses after which a browser drops the click. After 429 and 503 it sends the click again. */
const FINAL_STATUSES = [400, 413, 415];
/** Placeholder for the body of a ping. A ping's click is in the request's headers and URL. */
const PING_BODY = Symbol('ping');

export async function logCta(app: FastifyInstance, options: Options): Promise<void> {
  const { config, site, recorder, refusedLog, metrics, clock, now = Date.now } = options;
  // The page sends JSON with the type text/plain: `fetch` and `sendBeacon` use it for strings.
  readJsonBodies(app, ['application/json', 'text/plain']);
  app.addContentTypeParser('text/ping', { parseAs: 'string' }, (request, text, done) => {
    request.bodyText = String(text);
    done(null, PING_BODY);
  });
  app.post(
    LOG_CTA_PATH,
    {
      bodyLimit: MAX_CLICK_BODY_BYTES,
      config: { rateLimit: perMinute(config.rateLimit.clicks) },
      onRequest: refuseCrossSite,
      errorHandler: (cause, request, reply) => {
        const error = toHttpError(cause);
        const isRefused = FINAL_STATUSES.includes(error.statusCode);
        if (isRefused) refusedLog.add(error, request, site.logIp);
        if (isRefused || error.statusCode >= 500) metrics?.miss(isRefused ? 'refused' : 'failed');
        sendError(error, request, reply);
      },
    },
    async (request, reply) => {
      const receivedAt = now();
      const sent = readClickBody(request, receivedAt);
      if (sent.id !== undefined) checkId(sent.id, receivedAt, request, clock);
      const click = makeClickRow(sent, { request, receivedAt, via: readVia(request) }, site);
      try {
        const status = await recorder.record(click);
        // 202: the click is stored, but this server does not know the button. The browser sends the
        // click again until a server that knows the button answers.
        if (!isCtaEvent(click.event)) reply.code(202);
        return { status, id: click.id };
      } catch (cause) {
        if (isDataError(cause)) throw makeInvalidValueError(cause, request);
        throw unavailable('The click could not be written. Send it again.', RETRY_AFTER_S, cause);
      }
    },
  );
}

/**
 * Logs that the database rejected a value, and makes a 400, after which the browser drops the
 * click.
 */
function makeInvalidValueError({ code }: DatabaseFault, { log }: FastifyRequest): HttpError {
  log.warn({ code }, 'The database refuses a value of a click');
  return new HttpError(400, 'validation_failed', 'The click has a value that cannot be stored.');
}

/** Returns how the browser sent the click. */
function readVia({ body, query }: FastifyRequest) {
  if (body === PING_BODY) return 'ping';
  return (query as { via?: unknown }).via === 'beacon' ? 'beacon' : 'fetch';
}

/** Validates the body of a click. @throws HttpError 400 with the invalid fields */
function readClickBody(request: FastifyRequest, now: number): ClickBody {
  const body = request.body === PING_BODY ? readPing(request, now) : request.body;
  return parseInput(clickSchema, body, 'The click is not complete or not valid.');
}

/**
 * Checks that the time in an id is plausible, and notes the result for the clock watch.
 *
 * @throws HttpError 400 for an id out of bounds; 503 while the server's own clock may be wrong
 */
function checkId(id: string, now: number, { ip }: FastifyRequest, clock: ClockWatch): void {
  const age = classifyIdAge(timeOfId(id), now);
  clock.note(age, ip, now);
  if (age === 'valid') return;
  if (clock.isInDoubt())
    throw new HttpError(503, 'clock_in_doubt', "The server's clock may be wrong. Send it again.", {
      retryAfterS: CLOCK_RETRY_AFTER_S,
    });
  if (age === 'ahead')
    throw new HttpError(400, ID_AHEAD, 'The id is dated more than a day ahead. Make another one.', {
      fields: { id: 'must not be dated more than a day ahead of the Date header of this answer' },
    });
  throw new HttpError(400, 'id_too_old', 'The id is more than 8 days old.', {
    fields: { id: 'must not be dated more than 8 days before the Date header of this answer' },
  });
}

function classifyIdAge(madeAtMs: number, now: number): IdAge {
  if (madeAtMs > now + ID_AHEAD_MS) return 'ahead';
  return madeAtMs < now - OLDEST_ID_MS ? 'too_old' : 'valid';
}

/**
 * Makes a click's body from a request of the link's `ping` attribute, which works without script.
 * The URL has the event, the header Ping-From has the page, and the rest comes from the request.
 * Browsers do not cut these values to the contract's lengths, so this function does.
 */
function readPing(request: FastifyRequest, receivedAt: number): Record<string, unknown> {
  const query = request.query as Record<string, string | string[] | undefined>;
  const page =
    firstValueOf(request.headers['ping-from']) ?? `${request.protocol}://${request.host}/`;
  const landingUrl = URL.parse(page);
  const parameters = readQuery(landingUrl?.search ?? '');
  const ref = readRef(parameters);
  const referrer = firstValueOf(query.referrer) ?? ref;
  const userAgent = userAgentOf(request);
  return {
    event: firstValueOf(query.event),
    referrer: referrer ? referrer.slice(0, MAX_REFERRER) : null,
    ip: null,
    timestamp: new Date(receivedAt).toISOString(),
    // Ping-From has every query parameter of the page. Only the ref is kept, as the page's own
    // script does.
    page_url: landingUrl ? pageUrlWith(ref, landingUrl) : page,
    user_agent: userAgent,
    is_mobile: MOBILE_USER_AGENT.test(userAgent),
    campaign: firstValues(sourceParameters(parameters)),
  };
}

/**
 * Returns a page's address with only the parameter `ref`. The ref is left out if the address would
 * become too long.
 */
function pageUrlWith(ref: string | null, { origin, pathname }: URL): string {
  const page = (origin + pathname).slice(0, MAX_PAGE_URL);
  const urlWithRef = ref === null ? page : `${page}?${new URLSearchParams({ ref })}`;
  return urlWithRef.length > MAX_PAGE_URL ? page : urlWithRef;
}

const firstValueOf = (value: string | string[] | undefined) =>
  Array.isArray(value) ? value[0] : value;
