/** Plays one case against the stand-in for PostHog. */
import type { CaptureEvent, SendOptions } from '../../../server/posthog/capture/capture.ts';
import {
  type CaptureSettings,
  createCapture,
} from '../../../server/posthog/capture/create-capture.ts';
import type { Step } from './posthog-capture/script.ts';
import { testCapture } from './posthog-capture/test-capture.ts';
import type { World } from './posthog-capture/world.ts';

/** The n-th click of one visit. */
export const eventOf = (n: number, parts: Partial<CaptureEvent> = {}): CaptureEvent => ({
  uuid: `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`,
  event: 'cta_click',
  distinct_id: '019c1234-5678-7abc-8def-aaaaaaaaaaaa',
  timestamp: '2026-01-31T09:30:00.123Z',
  properties: {
    $session_id: '019c1234-5678-7abc-8def-aaaaaaaaaaaa',
    $process_person_profile: false,
    label: 'hero_button',
  },
  ...parts,
});
export const eventsOf = (count: number) => Array.from({ length: count }, (_, n) => eventOf(n));

export interface Case {
  /** The next answers. */
  steps?: Step[];
  world?: Partial<World>;
  /** Number of events, or the events. Default: 1. */
  events?: number | CaptureEvent[];
  options?: SendOptions;
  settings?: Partial<CaptureSettings>;
}

/** Makes a client, and sends the events of the case. `waits` has the pauses, which take no time. */
export async function play({ steps = [], world = {}, events = 1, options, settings }: Case) {
  const posthog = await testCapture();
  posthog.play(...steps);
  Object.assign(posthog.world, world);
  const waits: number[] = [];
  const capture = createCapture({
    host: posthog.url,
    key: 'phc_test',
    wait: async (ms) => void waits.push(ms),
    ...settings,
  });
  const sent = typeof events === 'number' ? eventsOf(events) : events;
  const result = await capture.send(sent, options);
  const verdicts = result.outcomes.map(({ verdict, detail }) =>
    detail ? `${verdict}:${detail}` : verdict,
  );
  const bodies = posthog.requests.map(({ body }) => JSON.parse(body));
  return { capture, posthog, result, verdicts, bodies, waits, sent };
}
