/**
 * PostHog's wire format, for events that are sent before posthog-js has loaded: `POST /k/e/` with
 * `{ api_key, batch: [{ uuid, event, properties, timestamp }] }`.
 *
 * The server adds the properties that it knows (server/posthog/make-event.ts). The page sends only
 * the others.
 */

import type { TrackingEvent } from '#contract/events.ts';
import type { PageFacts } from '../clicks/make-click.ts';
import { isInternal } from '../opt-out.ts';

export interface AnalyticsEvent {
  uuid: string;
  event: TrackingEvent;
  /** The event's own properties, without those that all events of the visit share. */
  properties: object;
  /** Milliseconds since 1970. */
  at: number;
}

/** What the queue uses of posthog-js, once it has started. */
export interface Sender {
  send(event: AnalyticsEvent): void;
  /**
   * With true, drops the events that wait for a retry, and sends nothing. With false, sends events
   * again.
   */
  setOff(isOff: boolean): void;
}

/**
 * Returns the properties that all events of the page load share.
 *
 * @param ref the `ref` parameter of the page's address, as the page store has it
 */
export const visitFacts = ({ visitId, facts }: PageFacts, ref: string | null) => ({
  referrer: ref,
  visit_id: visitId,
  $current_url: location.origin + location.pathname,
  is_internal: isInternal(),
  ...facts,
});
export type WireFacts = ReturnType<typeof visitFacts>;

/**
 * Returns the JSON body of one request with several events.
 *
 * @param facts the properties that all events share, as `visitFacts` returns them
 */
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
