/**
 * Events for PostHog, from the first moment on. posthog-js comes late; until it is there, events wait here, and
 * when the page goes away before it came, they leave as one beacon in PostHog's own wire format.
 */
import type { TrackingEvent, TrackingPlan } from '#contract/events.ts';
import { nextTask } from './next-task.ts';

export interface AnalyticsEvent {
  uuid: string;
  event: TrackingEvent;
  properties: Record<string, unknown>;
  /** Milliseconds since 1970. */
  at: number;
}

export interface AnalyticsParts {
  /** Fetches and starts posthog-js; gives the way to send an event through it. */
  load: () => Promise<(event: AnalyticsEvent) => void>;
  /** Sends without posthog-js. @returns false when the browser does not take it */
  sendDirectly: (events: readonly AnalyticsEvent[]) => boolean;
  isHidden: () => boolean;
  /** The visitor has switched counting off meanwhile. */
  isOff: () => boolean;
  now: () => number;
  newId: () => string;
}

export interface Analytics {
  /** @param uuid the event's own id, where it already has one; PostHog counts an id once */
  track<E extends TrackingEvent>(event: E, properties: TrackingPlan[E], uuid?: string): void;
  /** Brings posthog-js in; may be called often. */
  load(): void;
  /** The page may be gone in a moment. */
  flush(): void;
}

/** Where nothing may be sent: no key, or the visitor asks for privacy. */
export const NO_ANALYTICS: Analytics = { track() {}, load() {}, flush() {} };

export function createAnalytics(parts: AnalyticsParts): Analytics {
  let waiting: AnalyticsEvent[] = [];
  let send: ((event: AnalyticsEvent) => void) | undefined;
  let loading = false;

  const flush = () => {
    if (!send && waiting.length > 0 && parts.sendDirectly(waiting)) waiting = [];
  };
  return {
    track(event, properties, uuid = parts.newId()) {
      if (parts.isOff()) return;
      const entry = { uuid, event, properties, at: parts.now() };
      if (send) return send(entry);
      waiting.push(entry);
      if (parts.isHidden()) flush();
    },
    load() {
      if (loading) return;
      loading = true;
      parts.load().then(
        async (ready) => {
          // One per task; whatever still waits when the page goes away leaves the direct way.
          for (let event = waiting.shift(); event; event = waiting.shift()) {
            ready(event);
            await nextTask();
          }
          send = ready;
        },
        () => {
          loading = false; // A blocker or a broken connection: the direct way stays open.
        },
      );
    },
    flush,
  };
}
