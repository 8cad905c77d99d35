/** Makes PostHog's events from those that a browser sent through the proxy. */
import { z } from 'zod';
import { isTrackingEvent } from '#contract/events.ts';
import { MAX_PAGE_URL } from '#contract/limits.ts';
import { redated } from '#contract/redated.ts';
import { isDatedAhead } from '../../clicks/id-time.ts';
import { isBot } from '../../clicks/is-bot.ts';
import { keptReferrer, type ReferrerSettings } from '../../clicks/referring-domain.ts';
import { HttpError } from '../../http/http-error.ts';
import { type CompleteEvent, completeEvent, type Device, deviceOf } from '../complete-event.ts';
import type { PosthogEvent } from './decode-events.ts';

/** The server's own data about the request that carried the events. */
export interface BrowserRequest {
  /** At most MAX_USER_AGENT characters. */
  userAgent: string;
  /** As POSTHOG_SEND_IP and LOG_IP allow it; null: none. */
  address: string | null;
  referrer: ReferrerSettings;
  /** Milliseconds since 1970. */
  now: number;
}

const VISIT_ERROR = 'must be the UUID of version 7 of the page load';

const eventSchema = z.object({
  uuid: z.uuid({ error: 'must be a UUID, by which a repeated event is recognised' }).toLowerCase(),
  event: z.string(),
  timestamp: z.iso
    .datetime({ error: 'must be an ISO 8601 time in UTC' })
    .transform((text) => new Date(text).toISOString()),
  properties: z.looseObject({ visit_id: z.uuidv7({ error: VISIT_ERROR }).toLowerCase() }),
});

/**
 * Completes a request's events. Returns none for a robot.
 *
 * @throws HttpError 400 if one of them is not an event of the tracking plan
 */
export function eventsFromBrowser(
  events: readonly PosthogEvent[],
  request: BrowserRequest,
): CompleteEvent[] {
  if (isBot(request.userAgent, request.userAgent)) return [];
  const device = deviceOf(request.userAgent);
  return events.map((event) => eventFromBrowser(event, request, device));
}

function eventFromBrowser(
  sent: PosthogEvent,
  request: BrowserRequest,
  device: Device,
): CompleteEvent {
  if (!isTrackingEvent(sent.event)) throw unknownEvent(sent.event);
  const { timestamp, properties, ...given } = parse(sent);
  const uuid = isDatedAhead(given.uuid, request.now)
    ? redated(given.uuid, request.now)
    : given.uuid;
  const { $current_url } = properties;
  const pageUrl = typeof $current_url === 'string' ? $current_url.slice(0, MAX_PAGE_URL) : '';
  return completeEvent({
    uuid,
    event: sent.event,
    visitId: properties.visit_id,
    timestamp,
    referrer: properties.referrer,
    campaign: properties.campaign,
    referringDomain: keptReferrer(properties.referring_domain, pageUrl, request.referrer) ?? null,
    screenClass: properties.screen_class,
    pageUrl,
    userAgent: request.userAgent,
    device,
    address: request.address,
    // A click's event has the id of the click's line, whose date the browser had to correct in the same way.
    own: { ...properties, event_id: properties.event_id && uuid },
  });
}

/** Pages of the version before have the visit's id in `distinct_id` alone. */
function parse(sent: PosthogEvent) {
  const visit_id = sent.properties?.visit_id ?? sent.properties?.distinct_id;
  const parsed = eventSchema.safeParse({ ...sent, properties: { ...sent.properties, visit_id } });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new HttpError(
    400,
    'malformed_events',
    `The event ${sent.event} is not complete: ${issue?.path.join('.')} ${issue?.message}.`,
  );
}

const unknownEvent = (name: string) =>
  new HttpError(
    400,
    'unknown_event',
    'An event is not in the tracking plan. Add it to contract/events.ts, and start this server with it.',
    // Not in the message, because the log has the messages.
    { fields: { event: `is ${JSON.stringify(name)}` } },
  );
