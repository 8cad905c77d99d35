/**
 * Events for PostHog, from the first moment on. posthog-js comes late; until it is there, events wait here, and
 * when the page goes away before it came, they leave as one beacon in PostHog's own wire format.
 */

import { nextTask } from '#browser/next-task.ts';
import type { TrackingEvent, TrackingPlan } from '#contract/events.ts';

export interface AnalyticsEvent {
  uuid: string;
  event: TrackingEvent;
  properties: Record<string, unknown>;
  /** Milliseconds since 1970. */
  at: number;
}

/** posthog-js, started. */
export interface Sender {
  send(event: AnalyticsEvent): void;
  /** Opted out: drops what waits to be sent again, and sends nothing until the visitor opts in again. */
  setOff(isOff: boolean): void;
}

export interface AnalyticsParts {
  /** Fetches and starts posthog-js. */
  load: () => Promise<Sender>;
  /** Sends without posthog-js. @returns false when the browser does not take it */
  sendDirectly: (events: readonly AnalyticsEvent[]) => boolean;
  isHidden: () => boolean;
  /** The visitor has opted out. */
  hasOptedOut: () => boolean;
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
  /** Opted out: forgets every event that has not left yet. */
  setOff(isOff: boolean): void;
}

/** Where nothing may be sent: no key, or the visitor asks for privacy. */
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
    // One per task; whatever still waits when the page goes away leaves the direct way.
    for (let event = waiting.shift(); event; event = waiting.shift()) {
      loaded.send(event);
      await nextTask();
    }
    hasCaughtUp = true;
  };
  return {
    track(event, properties, uuid = parts.newId()) {
      if (parts.hasOptedOut()) return;
      const entry = { uuid, event, properties, at: parts.now() };
      if (hasCaughtUp) return sender?.send(entry);
      waiting.push(entry);
      if (parts.isHidden()) flush();
    },
    load() {
      if (loading || parts.hasOptedOut()) return;
      loading = true;
      parts.load().then(catchUp, () => {
        loading = false; // A blocker or a broken connection: the direct way stays open.
      });
    },
    flush,
    setOff(isOff) {
      if (isOff) waiting = [];
      sender?.setOff(isOff);
    },
  };
}
