/**
 * Sends events to PostHog. They wait here until posthog-js has loaded, which is late. If the page closes before, they
 * are sent as one beacon in PostHog's own wire format.
 */

import { nextTask } from '#browser/idle.ts';
import type { TrackingEvent, TrackingPlan } from '#contract/events.ts';

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
  /** If off, drops the events that wait for another attempt, and sends nothing until the visitor opts in again. */
  setOff(isOff: boolean): void;
}

export interface AnalyticsParts {
  /** Fetches and starts posthog-js. */
  load: () => Promise<Sender>;
  /** Sends without posthog-js. @returns false when the browser does not take it */
  sendDirectly: (events: readonly AnalyticsEvent[]) => boolean;
  isHidden: () => boolean;
  /** Whether the visitor has opted out. */
  hasOptedOut: () => boolean;
  now: () => number;
  newId: () => string;
}

export interface Analytics {
  /** @param identity the event's own id and time, where it already has them; PostHog counts an id once */
  track<E extends TrackingEvent>(
    event: E,
    properties: TrackingPlan[E],
    identity?: { uuid: string; at?: number },
  ): void;
  /** Loads posthog-js; may be called often. */
  load(): void;
  /** Sends the waiting events directly, because the page may close. */
  flush(): void;
  /** Drops every event that has not been sent yet, because the visitor has opted out. */
  setOff(isOff: boolean): void;
}

/** Sends nothing, because there is no key, or the visitor asks for privacy. */
export const NO_ANALYTICS: Analytics = { track() {}, load() {}, flush() {}, setOff() {} };

export function createAnalytics(parts: AnalyticsParts): Analytics {
  let waiting: AnalyticsEvent[] = [];
  let sender: Sender | undefined;
  let hasCaughtUp = false;
  let loading = false;

  const flush = () => {
    if (hasCaughtUp || waiting.length === 0 || parts.hasOptedOut()) return;
    if (parts.sendDirectly(waiting)) waiting = [];
  };
  const catchUp = async (loaded: Sender) => {
    sender = loaded;
    loaded.setOff(parts.hasOptedOut());
    // One per task. If the page closes meanwhile, the waiting events are sent directly.
    for (let event = waiting.shift(); event; event = waiting.shift()) {
      loaded.send(event);
      await nextTask();
    }
    hasCaughtUp = true;
  };
  return {
    track(event, properties, { uuid, at = parts.now() } = { uuid: parts.newId() }) {
      if (parts.hasOptedOut()) return;
      const entry = { uuid, event, properties, at };
      if (hasCaughtUp) return sender?.send(entry);
      waiting.push(entry);
      if (parts.isHidden()) flush();
    },
    load() {
      if (loading || parts.hasOptedOut()) return;
      loading = true;
      parts.load().then(catchUp, () => {
        loading = false; // A content blocker or a broken connection. Events can still be sent directly.
      });
    },
    flush,
    setOff(isOff) {
      if (isOff) waiting = [];
      sender?.setOff(isOff);
    },
  };
}
