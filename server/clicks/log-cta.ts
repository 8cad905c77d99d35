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
import { carriedBy, firstValues } from '#contract/visit.ts';
import { type DatabaseFault, isDataError } from '../database/database.ts';
import { ID_AHEAD_MS, OLDEST_ID_MS } from '../http/browser-clock.ts';
import { sendError, toHttpError } from '../http/errors.ts';
import { HttpError, readJsonBodies, readValid, unavailable } from '../http/http-error.ts';
import { perMinute } from '../http/rate-limit.ts';
import { userAgentOf } from '../http/robots.ts';
import { refuseCrossSite } from '../http/security.ts';
import type { RouteOptions } from '../settings.ts';
import { makeClick } from './click.ts';
import { madeAt } from './id-time.ts';
import type { Recorder } from './record-clicks.ts';
import type { RefusedLog } from './refused-log.ts';
import type { ClockWatch, IdAge } from './watch-clock.ts';

interface Options extends RouteOptions {
  recorder: Recorder;
  refusedLog: RefusedLog;
  clock: ClockWatch;
  /** Counts the clicks that are not kept. */
  metrics?: { miss(outcome: 'refused' | 'failed'): void } | null | undefined;
}

/** Upper bound for the body, in bytes. */
export const MAX_CLICK_BODY_BYTES = 4096;
/**
 * `Retry-After` when a click cannot be written: long enough to free a full disk, short enough that
 * the visitor's tab may still be open.
 */
const RETRY_AFTER_S = 5;
/** `Retry-After` while the server's clock is in doubt, which an operator has to set. */
const CLOCK_RETRY_AFTER_S = 60;
/** Answers after which a client does not send the click again, as it does after 429 and 503. */
const FINAL_STATUSES = [400, 413, 415];
/** Stands for the body of a ping, whose click is in the request's headers and URL. */
const PING_BODY = Symbol('ping');

export async function logCta(app: FastifyInstance, options: Options): Promise<void> {
  const { config, site, recorder, refusedLog, metrics, clock, now = Date.now } = options;
  // The page sends its JSON as text, which is what `fetch` and `sendBeacon` make of a string.
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
      const sent = readClick(request, receivedAt);
      if (sent.id !== undefined) checkId(sent.id, receivedAt, request, clock);
      const click = makeClick(sent, { request, receivedAt, via: viaOf(request) }, site);
      try {
        const status = await recorder.record(click);
        // This server keeps a click on a button that it does not know. The browser sends the click
        // again until a server that knows the button answers.
        if (!isCtaEvent(click.event)) reply.code(202);
        return { status, id: click.id };
      } catch (cause) {
        if (isDataError(cause)) throw refusalOf(cause, request);
        throw unavailable('The click could not be written. Send it again.', RETRY_AFTER_S, cause);
      }
    },
  );
}

/** Makes a 400, after which the browser does not send the click again. */
function refusalOf({ code }: DatabaseFault, { log }: FastifyRequest): HttpError {
  log.warn({ code }, 'The database refuses a value of a click');
  return new HttpError(400, 'validation_failed', 'The click has a value that cannot be stored.');
}

function viaOf({ body, query }: FastifyRequest) {
  if (body === PING_BODY) return 'ping';
  return (query as { via?: unknown }).via === 'beacon' ? 'beacon' : 'fetch';
}

/** Reads a click by the contract. @throws HttpError 400 with the invalid fields */
function readClick(request: FastifyRequest, now: number): ClickBody {
  const body = request.body === PING_BODY ? readPing(request, now) : request.body;
  return readValid(clickSchema, body, 'The click is not complete or not valid.');
}

/** @throws HttpError 400 for an id out of bounds; 503 while the server's clock may be wrong */
function checkId(id: string, now: number, { ip }: FastifyRequest, clock: ClockWatch): void {
  const age = ageOf(madeAt(id), now);
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

function ageOf(madeAtMs: number, now: number): IdAge {
  if (madeAtMs > now + ID_AHEAD_MS) return 'ahead';
  return madeAtMs < now - OLDEST_ID_MS ? 'too_old' : 'valid';
}

/**
 * Reads a click that the `ping` attribute sent from a page without script. The URL contains the
 * event, Ping-From the page, and the request the rest. The browser does not cut values to the
 * contract's lengths, so this function does.
 */
function readPing(request: FastifyRequest, receivedAt: number): Record<string, unknown> {
  const query = request.query as Record<string, string | string[] | undefined>;
  const page = firstOf(request.headers['ping-from']) ?? `${request.protocol}://${request.host}/`;
  const landing = URL.parse(page);
  const parameters = readQuery(landing?.search ?? '');
  const ref = readRef(parameters);
  const referrer = firstOf(query.referrer) ?? ref;
  const userAgent = userAgentOf(request);
  return {
    event: firstOf(query.event),
    referrer: referrer ? referrer.slice(0, MAX_REFERRER) : null,
    ip: null,
    timestamp: new Date(receivedAt).toISOString(),
    // Ping-From has every parameter. Only the ref is kept, as by the inline script of the page.
    page_url: landing ? pageUrlWith(ref, landing) : page,
    user_agent: userAgent,
    is_mobile: MOBILE_USER_AGENT.test(userAgent),
    campaign: firstValues(carriedBy(parameters)),
  };
}

/** Returns a page's address with no parameter but the ref, and without a ref that has no room. */
function pageUrlWith(ref: string | null, { origin, pathname }: URL): string {
  const page = (origin + pathname).slice(0, MAX_PAGE_URL);
  const withRef = ref === null ? page : `${page}?${new URLSearchParams({ ref })}`;
  return withRef.length > MAX_PAGE_URL ? page : withRef;
}

const firstOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
