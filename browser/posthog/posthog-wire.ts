/**
 * PostHog's wire format, for events that must be sent before posthog-js has loaded: `POST <api
 * host>/e/` with `{ api_key, batch: [{ uuid, event, properties, timestamp }] }`.
 *
 * Our server completes each event (server/posthog/make-event.ts), so that the page sends only
 * what it alone knows.
 */

import type { TrackingEvent } from '#contract/events.ts';
import type { PageFacts } from '../clicks/make-click.ts';
import { isInternal } from '../opt-out.ts';

export interface AnalyticsEvent {
  uuid: string;
  event: TrackingEvent;
  /** Its own, without the visit's. */
  properties: object;
  /** Milliseconds since 1970. */
  at: number;
}

/** posthog-js, started. */
export interface Sender {
  send(event: AnalyticsEvent): void;
  /**
   * If off, drops the events that wait for another attempt, and sends nothing until the visitor
   * opts in again.
   */
  setOff(isOff: boolean): void;
}

/**
 * The page's properties of every event.
 *
 * @param ref the landing URL's: of the stub, and later of the page's store
 */
export const visitFacts = ({ visitId, facts }: PageFacts, ref: string | null) => ({
  referrer: ref,
  visit_id: visitId,
  $current_url: location.origin + location.pathname,
  is_internal: isInternal(),
  ...facts,
});
export type WireFacts = ReturnType<typeof visitFacts>;

/** The JSON body. */
export const wireBody = (
  apiKey: string | null,
  events: readonly AnalyticsEvent[],
  facts: WireFacts,
): string =>
  JSON.stringify({
    api_key: apiKey,
    batch: events.map(({ uuid, event, properties, at }) => ({
      uuid,
      event,
      timestamp: new Date(at),
      properties: { ...facts, ...properties },
    })),
  });
