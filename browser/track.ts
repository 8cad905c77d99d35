/**
 * Reports events. It imports no code, so that the form's script has none of the code that sends
 * them.
 */
import type { TrackingEvent, TrackingPlan } from '#contract/events.ts';

type Track = <E extends TrackingEvent>(
  event: E,
  properties: TrackingPlan[E],
  identity?: { uuid: string; at: number },
) => void;

/** Drops events, because there is no key, or the visitor asks for privacy. */
let send: Track = () => {};

/**
 * @param properties the event's own in the tracking plan, never form contents; those of the visit
 * are added
 * @param identity the event's own id and time, where it already has them; PostHog counts an id once
 */
export const track: Track = (...event) => send(...event);

export function sendTracksTo(queue: Track): void {
  send = queue;
}
