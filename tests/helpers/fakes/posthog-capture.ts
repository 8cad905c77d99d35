/**
 * A stand-in for PostHog: a real HTTP server that refuses what Capture V1 would refuse, stores
 * events, and plays a script of answers. posthog-management.ts answers the commands.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { startLocalServer } from '../server/local-server.ts';
import { answerManagement, newWorld, type World } from './posthog-management.ts';

/** The next answer. Without a step, the stand-in answers as PostHog does. */
export interface Step {
  /** Waits for it before the answer. */
  until?: Promise<unknown>;
  /** Copies of each event to store. Default: 1 if the request is taken. */
  copies?: number;
  /**
   * Verdicts by the order of the events, such as `retry:not_persisted`. null: the answer does not
   * name the event.
   */
  verdicts?: (string | null)[];
  /** Replaces the answer. A tag makes PostHog's error body. */
  status?: number;
  tag?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Closes the connection without an answer, or after half of its body, or sends nothing. */
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

const REQUIRED = [
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
    /** The fake PostHog's own origin, without a slash at the end. */
    url: `http://127.0.0.1:${server.port}`,
    requests,
    /** Every stored copy, in the order of arrival. */
    events,
    /** One copy of each event, because PostHog merges repetitions later. */
    merged: () =>
      [...new Map(events.toReversed().map((one) => [keyOf(one), one])).values()].reverse(),
    /** Adds the next answers. */
    play: (...steps: Step[]) => void script.push(...steps),
    /** The number of added answers that no request has got yet. */
    unplayed: () => script.length,
    world,
  };
}

const keyOf = ({ uuid, event, timestamp, distinct_id }: StoredEvent) =>
  JSON.stringify([uuid, event, timestamp, distinct_id]);

/** `at`: milliseconds since 1970. */
async function read(request: IncomingMessage) {
  const raw = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
  const { method = '', url: path = '', headers } = request;
  return { at: Date.now(), method, path, headers, body: raw.toString() };
}

export type CapturedRequest = Awaited<ReturnType<typeof read>>;
type Answer = { status: number; json: object; headers?: Record<string, string> };

/** Answers a batch of events with a verdict for each. */
function capture(request: CapturedRequest, { verdicts }: Step, world: World) {
  const { data } = bodySchema.safeParse(JSON.parse(request.body));
  const batch = data?.batch ?? [];
  const refusal = refusalOf(request, batch, world);
  if (refusal) return { status: refusal[0], json: { error: refusal[1] }, stored: [] };
  const judged = batch.map((event, i) => {
    const own = world.unstorable.has(event.uuid) ? 'retry:not_persisted' : 'ok';
    const given = verdicts?.[i];
    const [result = '', details] = (given ?? own).split(':');
    return { event, entry: given === null ? null : { result, details } };
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
  if (REQUIRED.some((name) => !headers[name])) return [400, 'missing_required_headers'] as const;
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

function reply(request: IncomingMessage, response: ServerResponse, step: Step, made: Answer): void {
  const { ending, status = made.status, tag, headers, body } = step;
  if (ending === 'silent') return;
  if (ending === 'cut') return void request.socket.destroy();
  const text = body ?? JSON.stringify(tag ? { error: tag } : made.json);
  const type = { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...made.headers, ...headers });
  if (ending !== 'half') response.end(text);
  else response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
}
