/** Lets a component report an event without importing the code that sends it (start-tracking.ts). */
import type { Analytics } from './posthog/analytics.ts';

type Tracker = Pick<Analytics, 'track'>;

/** Drops events, because there is no key, or the visitor asks for privacy. */
let tracker: Tracker = { track() {} };

/** @param properties the event's own in the tracking plan, never form contents; the pipeline adds those of the visit */
export const track: Tracker['track'] = (event, properties) => tracker.track(event, properties);

export function sendTracksTo(started: Tracker): void {
  tracker = started;
}
