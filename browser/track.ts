/**
 * Tracks events. This module imports no code: the form's chunk imports it, and must not contain the
 * code that sends the events.
 */
import type { TrackingEvent, TrackingPlan } from '#contract/events.ts';

type Track = <E extends TrackingEvent>(
  event: E,
  properties: TrackingPlan[E],
  identity?: { uuid: string; at: number },
) => void;

/**
 * Where `track` sends its events. It drops them until a queue is set: there is none if the site has
 * no PostHog key, or the browser asks for privacy.
 */
let send: Track = () => {};

/**
 * Tracks one event of contract/events.ts. Never pass it contents of the form.
 *
 * @param properties the event's own properties. Those of the visit are added later
 * @param identity id and time (milliseconds since 1970) of an event that already has them, such as
 * a click. Other events get new ones. PostHog counts an id once
 */
export const track: Track = (...event) => send(...event);

/** Sets the queue that gets all further events. */
export function sendTracksTo(queue: Track): void {
  send = queue;
}
