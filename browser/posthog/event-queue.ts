/**
 * Sends events to PostHog. Events wait here until posthog-js has loaded, which is late. If the page
 * closes before that, the waiting events are sent as one beacon in PostHog's own wire format.
 */
import { POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import type { StubData } from '../clicks/stub-data.ts';
import { newId } from '../clicks/uuid-v7.ts';
import { nextTask } from '../idle.ts';
import { hasOptedOut } from '../opt-out.ts';
import { pageStore } from '../page-store.ts';
import { sendBeacon } from '../send-beacon.ts';
import { sendTracksTo } from '../track.ts';
import { type AnalyticsEvent, type Sender, visitFacts, wireBody } from './posthog-wire.ts';

interface Project {
  apiKey: string;
  /** The stub's data in the window. */
  stub: StubData;
  /** Fetches and starts posthog-js. */
  load: () => Promise<Sender>;
}

/** Absent without a key, or if the visitor asks for privacy. */
let project: Project | undefined;
let waiting: AnalyticsEvent[] = [];
let sender: Sender | undefined;
let hasCaughtUp = false;
let isLoading = false;

export function startQueue(started: Project): void {
  project = started;
  sendTracksTo((event, properties, { uuid, at } = { uuid: newId(), at: Date.now() }) => {
    if (hasOptedOut()) return;
    const entry = { uuid, event, properties, at };
    if (hasCaughtUp) sender?.send(entry);
    else waiting.push(entry);
    if (document.visibilityState === 'hidden') flushEvents();
  });
}

/** Loads posthog-js; may be called often. */
export async function loadPosthog(): Promise<void> {
  if (!project || isLoading || hasOptedOut()) return;
  isLoading = true;
  try {
    sender = await project.load();
  } catch {
    isLoading = false; // A content blocker or a broken connection. Events can still be sent directly.
    return;
  }
  sender.setOff(hasOptedOut());
  // One per task. If the page closes meanwhile, the waiting events are sent directly.
  for (let event = waiting.shift(); event; event = waiting.shift()) {
    sender.send(event);
    await nextTask();
  }
  hasCaughtUp = true;
}

/** Sends the waiting events directly, because the page may close. */
export function flushEvents(): void {
  if (!project || hasCaughtUp || waiting.length === 0 || hasOptedOut()) return;
  const { apiKey, stub } = project;
  const body = wireBody(apiKey, waiting, visitFacts(stub, pageStore.getState().ref));
  // PostHog counts an id once, so that events which the browser took as no beacon are sent again.
  if (sendBeacon(`${POSTHOG_PROXY_PATH}/e/`, json(body))) waiting = [];
}

const json = (text: string) => new Blob([text], { type: 'application/json' });

/** Drops every event that has not been sent yet, if the visitor has opted out. */
export function setTrackingOff(isOff: boolean): void {
  if (isOff) waiting = [];
  sender?.setOff(isOff);
}
