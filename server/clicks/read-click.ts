/** Reads a click by the contract from a request's body or a link's ping, or throws an error that names the fields. */
import type { FastifyRequest } from 'fastify';
import {
  ID_AHEAD,
  MAX_PAGE_URL,
  MAX_REFERRER,
  MAX_USER_AGENT,
  MOBILE_USER_AGENT,
} from '#contract/limits.ts';
import { clickSchema, type ParsedClick } from '#contract/log-cta.schema.ts';
import { OTHER_PARAMETERS, readCampaign } from '#contract/visit.ts';
import { fieldErrors } from '../http/field-errors.ts';
import { HttpError } from '../http/http-error.ts';
import { ID_AHEAD_MS, madeAt, OLDEST_ID_MS } from './id-time.ts';

/**
 * @param now milliseconds since 1970
 * @throws HttpError 400 with the invalid fields
 */
export function readClick(body: unknown, now: number): ParsedClick {
  const parsed = clickSchema.safeParse(body);
  if (!parsed.success)
    throw new HttpError(400, 'validation_failed', 'The click is not complete or not valid.', {
      fields: fieldErrors(parsed.error.issues),
    });
  if (parsed.data.id !== undefined) checkAge(madeAt(parsed.data.id), now);
  return parsed.data;
}

function checkAge(madeAtMs: number, now: number): void {
  if (madeAtMs > now + ID_AHEAD_MS)
    throw new HttpError(400, ID_AHEAD, 'The id is dated more than a day ahead. Make another one.', {
      fields: { id: 'must not be dated more than a day ahead of the Date header of this answer' },
    });
  if (madeAtMs < now - OLDEST_ID_MS)
    throw new HttpError(400, 'id_too_old', 'The id is more than 8 days old.', {
      fields: { id: 'must not be dated more than 8 days before the Date header of this answer' },
    });
}

/**
 * Reads a click that the `ping` attribute sent from a page without script. The URL contains the event, Ping-From the
 * page, and the request the rest. The browser does not cut values to the contract's lengths, so this function does.
 */
export function readPing(request: FastifyRequest, receivedAt: number): Record<string, unknown> {
  const query = request.query as Record<string, string | string[] | undefined>;
  const page = firstOf(request.headers['ping-from']) ?? `${request.protocol}://${request.host}/`;
  const landing = URL.parse(page);
  const referrer = firstOf(query.referrer) ?? landing?.searchParams.get('ref');
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT);
  return {
    event: firstOf(query.event),
    referrer: referrer ? referrer.slice(0, MAX_REFERRER) : null,
    ip: null,
    timestamp: new Date(receivedAt).toISOString(),
    // The browser sends the whole address. The inline script would keep only these parameters.
    page_url: page.slice(0, MAX_PAGE_URL).replace(OTHER_PARAMETERS, '$1'),
    user_agent: userAgent,
    is_mobile: MOBILE_USER_AGENT.test(userAgent),
    campaign: landing ? readCampaign(landing.search) : undefined,
  };
}

const firstOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
