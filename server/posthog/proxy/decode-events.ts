/** Reads the events of a browser's request, and checks that they are for our own project. */
import { z } from 'zod';
import { HttpError } from '../../http/http-error.ts';
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

const eventSchema = z.looseObject({
  ...tokens,
  event: z.string().min(1).max(200),
  /** Bounded, because the proxy remembers it to recognise repetitions. */
  uuid: z.guid().optional(),
  properties: z.looseObject(tokens).optional(),
});
export type PosthogEvent = z.infer<typeof eventSchema>;

/** The count comes first, so that too many events are refused before their validation. */
const eventsSchema = z
  .array(z.unknown())
  .min(1, 'must hold an event')
  .max(MAX_EVENTS, `must hold no more than ${MAX_EVENTS} events`)
  .pipe(z.array(eventSchema));

const envelopeSchema = z.object({ ...tokens, batch: eventsSchema });

/**
 * Reads one event, a list of them, or an envelope.
 *
 * @param key the key of the only accepted project
 * @param query the URL's query, in which PostHog also looks for a key
 * @throws (rejects with) HttpError 400, 403 or 413 that names the fault
 */
export async function decodeEvents(
  body: Buffer,
  key: string,
  query: Tokens,
): Promise<PosthogEvent[]> {
  const parsed = envelopeSchema.safeParse(toEnvelope(await unpackJson(body)));
  if (!parsed.success) throw malformed(parsed.error);
  const { batch, ...around } = parsed.data;
  const tokensOf = (event: PosthogEvent) =>
    [query, around, event, event.properties ?? {}].flatMap(namedTokens);
  if (!batch.every((event) => isOnly(key, tokensOf(event)))) {
    throw new HttpError(403, 'wrong_project', 'Only events of this site’s own project are taken.');
  }
  return batch;
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

function malformed(error: z.ZodError): HttpError {
  const [issue] = error.issues;
  const place = issue?.path.join('.') || 'The body';
  return new HttpError(
    400,
    'malformed_events',
    `These are no PostHog events: ${place}: ${issue?.message}.`,
  );
}
