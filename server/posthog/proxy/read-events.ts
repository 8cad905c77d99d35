/** Reads the events of a browser's request, and completes them. */
import { z } from 'zod';
import { isTrackingEvent } from '#contract/events.ts';
import { MAX_PAGE_URL } from '#contract/limits.ts';
import { keptReferrer, type ReferrerSettings } from '../../clicks/referring-domain.ts';
import { HttpError } from '../../http/http-error.ts';
import { type CompleteEvent, completeEvent, deviceOf } from '../complete-event.ts';
import { unpackJson } from './unpack.ts';

/** Upper bound. The page sends one event per request, and a few more when it goes away. */
const MAX_EVENTS = 100;

/** The fields in which PostHog looks for a project's key. */
const tokens = {
  api_key: z.unknown().optional(),
  token: z.unknown().optional(),
  $token: z.unknown().optional(),
};
type Tokens = { [name in keyof typeof tokens]?: unknown };

const VISIT_ERROR = 'must be the UUID of version 7 of the page load';
const eventSchema = z.looseObject({
  ...tokens,
  event: z.string().min(1).max(200),
  uuid: z.uuid({ error: 'must be a UUID, by which a repeated event is recognised' }).toLowerCase(),
  timestamp: z.iso
    .datetime({ error: 'must be an ISO 8601 time in UTC' })
    .transform((text) => new Date(text).toISOString()),
  properties: z.looseObject({
    ...tokens,
    visit_id: z.uuidv7({ error: VISIT_ERROR }).toLowerCase(),
  }),
});
type BrowserEvent = z.infer<typeof eventSchema>;

/** The count comes first, so that too many events are refused before their validation. */
const envelopeSchema = z.object({
  ...tokens,
  batch: z
    .array(z.unknown())
    .min(1, 'must hold an event')
    .max(MAX_EVENTS, `must hold no more than ${MAX_EVENTS} events`)
    .pipe(z.array(eventSchema)),
});

export interface EventsRequest {
  body: Buffer;
  /** The URL's query, in which PostHog also looks for a key. */
  query: Tokens;
  /** At most MAX_USER_AGENT characters. */
  userAgent: string;
}

/**
 * Reads one event, a list of them, or an envelope.
 *
 * @param key the key of the only accepted project; null: there is no PostHog, and keys do not matter
 * @throws (rejects with) HttpError 400, 403 or 413 that names the fault
 */
export async function readEvents(
  { body, query, userAgent }: EventsRequest,
  key: string | null,
  referrer: ReferrerSettings,
): Promise<CompleteEvent[]> {
  const parsed = envelopeSchema.safeParse(toEnvelope(await unpackJson(body)));
  if (!parsed.success) throw malformed(parsed.error);
  const { batch, ...around } = parsed.data;
  const tokensOf = (event: BrowserEvent) =>
    [query, around, event, event.properties].flatMap(namedTokens);
  if (key !== null && !batch.every((event) => isOnly(key, tokensOf(event))))
    throw new HttpError(403, 'wrong_project', 'Only events of this site’s own project are taken.');
  // Once per request, because its patterns are slow.
  const device = deviceOf(userAgent);
  return batch.map(({ uuid, event, timestamp, properties }) => {
    if (!isTrackingEvent(event)) throw unknownEvent(event);
    const { $current_url: url } = properties;
    const pageUrl = typeof url === 'string' ? url.slice(0, MAX_PAGE_URL) : '';
    return completeEvent({
      ...{ uuid, event, timestamp, pageUrl, userAgent, device },
      visitId: properties.visit_id,
      referrer: properties.referrer,
      campaign: properties.campaign,
      referringDomain: keptReferrer(properties.referring_domain, pageUrl, referrer) ?? null,
      screenClass: properties.screen_class,
      own: properties,
    });
  });
}

function toEnvelope(message: unknown): unknown {
  if (Array.isArray(message)) return { batch: message };
  const isEnvelope = typeof message !== 'object' || message === null || 'batch' in message;
  return isEnvelope ? message : { batch: [message] };
}

const namedTokens = (place: Tokens) =>
  Object.keys(tokens)
    .map((name) => place[name as keyof Tokens])
    .filter((token) => token !== undefined);

const isOnly = (key: string, found: unknown[]) =>
  found.length > 0 && found.every((token) => token === key);

function malformed({ issues: [issue] }: z.ZodError): HttpError {
  const place = issue?.path.join('.') || 'The body';
  return new HttpError(
    400,
    'malformed_events',
    `These are no PostHog events: ${place}: ${issue?.message}.`,
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
