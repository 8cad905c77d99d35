/**
 * A fake PostHog: a real HTTP server that validates and stores events as PostHog's Capture V1 does.
 * A test can script its next answers. (posthog-management.ts is its management API.)
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { startLocalServer } from '../server/local-server.ts';
import { answerManagement, newWorld, type World } from './posthog-management.ts';

/** How the fake answers one request, where it differs from PostHog. */
export interface Step {
  /** The answer waits for this promise. */
  until?: Promise<unknown>;
  /** How many copies of each event are stored. By default 1; 0 if status or body are replaced. */
  copies?: number;
  /**
   * Results of the events, in their order, such as `retry:not_persisted`. null: the answer leaves
   * the event out.
   */
  verdicts?: (string | null)[];
  /** Replaces the status of the answer. */
  status?: number;
  /** Replaces the body by PostHog's JSON of this error. */
  tag?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Closes the connection without an answer (`cut`) or after half of it, or never answers. */
  ending?: 'cut' | 'half' | 'silent';
}

const timeSchema = z.iso.datetime({ offset: true });
const eventSchema = z.object({
  event: z.string().min(1).max(200),
  uuid: z.guid(),
  distinct_id: z.string().min(1).max(200),
  timestamp: timeSchema,
  session_id: z.string().optional(),
  options: z.object({
    disable_skew_correction: z.literal(true),
    process_person_profile: z.boolean(),
  }),
  properties: z.record(z.string(), z.unknown()),
});
const bodySchema = z.object({ created_at: timeSchema, batch: z.array(eventSchema).min(1) });
type RawEvent = z.infer<typeof eventSchema>;

const REQUIRED_HEADERS = [
  'user-agent',
  'posthog-sdk-info',
  'posthog-attempt',
  'posthog-request-id',
  'posthog-request-timestamp',
];

export type StoredEvent = ReturnType<typeof toStored> & Pick<CapturedRequest, 'at'>;

export async function startPosthogCapture() {
  const requests: CapturedRequest[] = [];
  const script: Step[] = [];
  const world = newWorld();
  const { events } = world;
  const server = await startLocalServer(async (request, response) => {
    const received = await read(request);
    requests.push(received);
    if (world.isDown) return void request.socket.destroy();
    const step = script.shift() ?? {};
    await step.until;
    const { at, path } = received;
    if (path !== '/i/v1/analytics/events') {
      const [status, json] = step.status ? [step.status, {}] : answerManagement(received, world);
      return reply(request, response, step, { status, json });
    }
    const { stored, ...answer } = capture(received, step, world);
    const isReplaced = step.status !== undefined || step.body !== undefined;
    const copies = step.copies ?? (isReplaced ? 0 : 1);
    for (let n = 0; n < copies; n += 1)
      events.push(...stored.map((event) => ({ ...toStored(event, received), at })));
    reply(request, response, step, answer);
  });
  return {
    ...server,
    /** Origin of the fake, without a slash at the end. */
    url: `http://127.0.0.1:${server.port}`,
    requests,
    /** All stored copies of events, in the order of arrival. */
    events,
    /** Returns one copy of each event: PostHog merges copies with equal keys (`keyOf`) later. */
    merged: () =>
      [...new Map(events.toReversed().map((one) => [keyOf(one), one])).values()].reverse(),
    /** Adds answers to the script. Each request uses one. */
    play: (...steps: Step[]) => void script.push(...steps),
    /** Returns the number of scripted answers that no request has used yet. */
    unplayed: () => script.length,
    world,
  };
}

const keyOf = ({ uuid, event, timestamp, distinct_id }: StoredEvent) =>
  JSON.stringify([uuid, event, timestamp, distinct_id]);

/** Reads a request. @returns `at`: its time, in milliseconds since 1970 */
async function read(request: IncomingMessage) {
  const raw = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
  const { method = '', url: path = '', headers } = request;
  return { at: Date.now(), method, path, headers, body: raw.toString() };
}

export type CapturedRequest = Awaited<ReturnType<typeof read>>;
type Answer = { status: number; json: object; headers?: Record<string, string> };

/** Validates a batch. @returns the answer, with a result for each event, and the events to store */
function capture(request: CapturedRequest, { verdicts }: Step, world: World) {
  const { data } = bodySchema.safeParse(JSON.parse(request.body));
  const batch = data?.batch ?? [];
  const refusal = refusalOf(request, batch, world);
  if (refusal) return { status: refusal[0], json: { error: refusal[1] }, stored: [] };
  const judged = batch.map((event, i) => {
    const usualVerdict = world.unstorable.has(event.uuid) ? 'retry:not_persisted' : 'ok';
    const scriptedVerdict = verdicts?.[i];
    const [result = '', details] = (scriptedVerdict ?? usualVerdict).split(':');
    return { event, entry: scriptedVerdict === null ? null : { result, details } };
  });
  const isRetry = judged.some(({ entry }) => entry?.result === 'retry');
  return {
    status: 200,
    headers: isRetry ? { 'retry-after': '1' } : {},
    json: { results: Object.fromEntries(judged.map(({ event, entry }) => [event.uuid, entry])) },
    stored: judged
      .filter(({ entry }) => !['drop', 'retry'].includes(entry?.result ?? ''))
      .map(({ event }) => event),
  };
}

function refusalOf({ headers }: CapturedRequest, batch: RawEvent[], world: World) {
  const uuids = batch.map(({ uuid }) => uuid);
  if (!headers.authorization?.startsWith('Bearer phc_')) return [401, 'invalid_api_token'] as const;
  if (REQUIRED_HEADERS.some((name) => !headers[name]))
    return [400, 'missing_required_headers'] as const;
  if (headers['content-type'] !== 'application/json')
    return [415, 'unsupported_content_type'] as const;
  if (batch.length === 0 || uuids.some((uuid) => world.poisonous.has(uuid)))
    return [400, 'request_parsing_error'] as const;
  if (new Set(uuids).size < uuids.length) return [400, 'duplicate_event_uuid'] as const;
  return null;
}

function toStored(event: RawEvent, { headers }: CapturedRequest) {
  const { session_id, options, properties, ...rest } = event;
  return {
    ...rest,
    properties: {
      ...properties,
      ...(session_id && { $session_id: session_id }),
      $process_person_profile: options.process_person_profile,
    } as Record<string, unknown>,
    token: headers.authorization?.replace('Bearer ', ''),
  };
}

/** Sends the answer of PostHog, with what the step replaces in it. */
function reply(
  request: IncomingMessage,
  response: ServerResponse,
  step: Step,
  answer: Answer,
): void {
  const { ending, status = answer.status, tag, headers, body } = step;
  if (ending === 'silent') return;
  if (ending === 'cut') return void request.socket.destroy();
  const text = body ?? JSON.stringify(tag ? { error: tag } : answer.json);
  const type = { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...answer.headers, ...headers });
  if (ending !== 'half') response.end(text);
  else response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
}
