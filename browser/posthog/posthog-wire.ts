/**
 * PostHog's wire format, for events that must be sent before posthog-js has loaded:
 * `POST <api host>/e/` with `{ api_key, batch: [{ uuid, event, properties, timestamp }] }`.
 *
 * Our server completes each event (server/posthog/complete-event.ts), so that the page sends only what it alone knows.
 */
import { isInternal } from '#browser/opt-out.ts';
import type { VisitFacts } from '#contract/visit.ts';
import type { AnalyticsEvent } from './analytics.ts';

export interface Visit {
  ref: string | null;
  /** UUID v7 of the page load. */
  visitId: string;
  facts?: VisitFacts;
}

/** The page's properties of every event. */
export const visitFacts = ({ ref, visitId, facts }: Visit) => ({
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
