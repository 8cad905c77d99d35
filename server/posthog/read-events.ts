/** Validates the events of a browser's request, and converts them to events for PostHog. */
import { z } from 'zod';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import {
  CONVERTED_FIELDS,
  COPIED_FIELDS,
  COPIED_NAMES,
  toPlainText,
} from '#contract/click-fields.schema.ts';
import { EVENTS } from '#contract/events.ts';
import { MAX_PAGE_URL, MAX_REFERRER } from '#contract/limits.ts';
import { refKey } from '#contract/ref.ts';
import { HttpError } from '../http/http-error.ts';
import { readReferrer } from '../http/referring-sites.ts';
import { pick } from '../pick.ts';
import { detectDevice, makePosthogEvent, type PosthogEvent } from './make-event.ts';

/** Upper bound for the events of a request. A page sends one, and a few more when it is closed. */
const MAX_EVENTS = 100;

/** Whether the tracking plan has the event. */
const isTrackingEvent = (event: string): event is keyof typeof EVENTS =>
  Object.hasOwn(EVENTS, event);

/** A text that is cut to a length. Events are not refused for long texts. */
const cutTo = (length: number) =>
  z.string().overwrite((text) => toPlainText(text.slice(0, length)));
const eventSchema = z.object({
  event: z.string().min(1).max(200),
  uuid: z.uuid({ error: 'must be a UUID, by which a repeated event is recognised' }).toLowerCase(),
  timestamp: z.iso
    .datetime({ error: 'must be an ISO 8601 time in UTC' })
    .transform((text) => new Date(text).toISOString()),
  properties: z.looseObject({
    ...COPIED_FIELDS,
    campaign: CONVERTED_FIELDS.campaign,
    referring_domain: CONVERTED_FIELDS.referring_domain,
    is_internal: CONVERTED_FIELDS.is_internal,
    is_automated: CONVERTED_FIELDS.is_automated,
    visit_id: z.uuidv7({ error: 'must be the UUID of version 7 of the page load' }).toLowerCase(),
    referrer: cutTo(MAX_REFERRER).nullable().catch(null),
    $current_url: cutTo(MAX_PAGE_URL).catch(''),
  }),
});

/**
 * Reads the events of a request's body: one event, a list of events, or an object with a list. The
 * body's project key is ignored, because the sender uses its own.
 *
 * @param userAgent the request's User-Agent header
 * @returns the events; `isInternal`: whether the team has marked the browser. All events of a
 * request come from one page
 * @throws HttpError 400 that names the fault
 */
export function readEvents(
  body: string,
  userAgent: string,
  site: BuiltSite,
): { sent: PosthogEvent[]; isInternal: boolean } {
  const message = parseBody(body);
  const events: unknown[] = [Object(message).batch ?? message].flat();
  // Counted before the validation, which takes time.
  if (events.length === 0 || events.length > MAX_EVENTS)
    throw makeMalformedError(`A request must hold 1 to ${MAX_EVENTS} events`);
  const { data, error } = z.array(eventSchema).safeParse(events);
  if (error)
    throw makeMalformedError(`${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`);
  // Detected once for all events, because the patterns are slow.
  const device = detectDevice(userAgent);
  const sent = data.map(({ uuid, event, timestamp, properties }) => {
    if (!isTrackingEvent(event))
      // The message does not name the event, because messages are logged, and a client could write
      // anything into the log.
      throw new HttpError(400, 'unknown_event', UNKNOWN_EVENT, {
        fields: { event: `is ${JSON.stringify(event)}` },
      });
    const { $current_url: page_url, campaign, referring_domain } = properties;
    const referrer = readReferrer({ referring_domain, page_url }, userAgent, site);
    return makePosthogEvent({
      ...campaign,
      uuid,
      event,
      timestamp,
      page_url,
      device,
      own: properties,
      ...pick(properties, COPIED_NAMES, null),
      visit_id: properties.visit_id,
      referrer: properties.referrer,
      ref_key: refKey(properties.referrer),
      referring_class: referrer.referring_class,
      referring_site: referrer.referring_site,
      is_automated: properties.is_automated,
    });
  });
  return { sent, isInternal: data.some(({ properties }) => properties.is_internal) };
}

/**
 * Parses a body: JSON, or the form with base64 in which posthog-js sends a beacon.
 *
 * @throws HttpError 400
 */
function parseBody(body: string): unknown {
  const [, field] = /^data=([^&]*)/.exec(body) ?? [];
  try {
    if (field === undefined) return JSON.parse(body);
    return JSON.parse(Buffer.from(decodeURIComponent(field), 'base64').toString());
  } catch (cause) {
    throw new HttpError(400, 'malformed_json', 'The events are not valid JSON.', { cause });
  }
}

const makeMalformedError = (fault: string) =>
  new HttpError(400, 'malformed_events', `These are no PostHog events: ${fault}.`);

const UNKNOWN_EVENT =
  'An event is not in the tracking plan. Add it to contract/events.ts, and start this server with it.';
