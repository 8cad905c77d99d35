/** PostHog, as far as a server sees it: takes batches, and answers as the weather says. */
import { time } from './clock.ts';
import { random } from './random.ts';
import { pass } from './waits.ts';
import type { World } from './world.ts';

export interface PosthogEvent {
  uuid: string;
  event: string;
  distinct_id: string;
  timestamp: string;
  properties: Record<string, unknown>;
}

interface Received {
  /** Virtual times of arrival. */
  at: number[];
  event: PosthogEvent;
  /** The world's count when a server last asked PostHog to take it. */
  disturbances: number;
  /** How often it came again while nothing had disturbed the servers. */
  calmRepeats: number;
}

export type Posthog = ReturnType<typeof makePosthog>;

/** Events that PostHog refuses for good, one of 32, by the last characters of their uuid. */
export const isDropped = (uuid: string): boolean => /[0-7]f$/.test(uuid);
/** Events that make PostHog reject a whole batch, one of 32. */
export const isPoison = (uuid: string): boolean => /[89a-f]f$/.test(uuid);

const FAULTS = ['down', '503', '429', 'html', 'silent', 'lost', 'retry', 'half'] as const;

export function makePosthog() {
  return { received: new Map<string, Received>(), isDown: false };
}

/** Makes the `fetch` of all servers, which only PostHog's sender uses. */
export function fetchOfServers(world: World): typeof fetch {
  return async (_url, init) => {
    const { posthog, weather } = world;
    const isFaulty = posthog.isDown || random.chance(weather.posthog);
    const fault = isFaulty ? random.pick(FAULTS) : null;
    const asked = { at: time(), disturbances: world.disturbances };
    await pass(random.pick([1, 30, 400]));
    const refusal = refuse(fault, init?.signal);
    if (refusal) return refusal;
    const { batch } = JSON.parse(String(init?.body)) as { batch: PosthogEvent[] };
    if (batch.some(({ uuid }) => isPoison(uuid)))
      return Response.json({ error: 'request_parsing_error' }, { status: 400 });
    const results = Object.fromEntries(
      batch.map((event) => [
        event.uuid,
        { result: judge(world, fault, event, asked), details: null },
      ]),
    );
    // The server does not know that PostHog has the batch.
    if (fault) world.disturb();
    if (fault === 'lost') throw new TypeError('fetch failed');
    return Response.json({ results });
  };
}

/**
 * Returns the answer of a PostHog that takes nothing; null: it takes the batch, or a part of it.
 */
function refuse(
  fault: (typeof FAULTS)[number] | null,
  signal: AbortSignal | null | undefined,
): Promise<Response> | Response | null {
  if (fault === 'down') throw new TypeError('fetch failed');
  if (fault === '503') return new Response('busy', { status: 503 });
  if (fault === 'html') return new Response('<html>', { status: 200 });
  if (fault === '429')
    return Response.json({ error: 'quota' }, { status: 429, headers: { 'retry-after': '7' } });
  if (fault !== 'silent') return null;
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

interface Asked {
  at: number;
  disturbances: number;
}

function judge(world: World, fault: string | null, event: PosthogEvent, asked: Asked) {
  if (fault === 'retry' || (fault === 'half' && random.chance(0.5))) return 'retry';
  if (isDropped(event.uuid)) return 'drop';
  world.book.sent(event, asked.at);
  const { received } = world.posthog;
  const before = received.get(event.uuid);
  const isResent = (before?.at.at(-1) ?? 0) <= world.resentAt;
  const isCalmRepeat = before && !isResent && world.wasCalmSince(before.disturbances);
  const calmRepeats = (before?.calmRepeats ?? 0) + (isCalmRepeat ? 1 : 0);
  // A browser sends an event again as long as no server has confirmed it, also where one has
  // queued it. Each copy may be sent, and PostHog keeps one of a uuid.
  const copies = world.book.events.get(event.uuid)?.copies ?? 1;
  if (calmRepeats >= Math.max(copies, 1))
    world.book.complain(`PostHog got an event twice without a cause: ${event.uuid}`);
  const at = [...(before?.at ?? []), time()];
  received.set(event.uuid, { at, event, disturbances: asked.disturbances, calmRepeats });
  return 'ok';
}
