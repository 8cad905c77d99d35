/**
 * Queues PostHog's events until posthog-js has loaded, which happens only after an input. If the
 * page closes before that, the queue is sent as one beacon in PostHog's wire format.
 */
import { POSTHOG_PATH } from '#contract/limits.ts';
import type { StubData } from '../clicks/stub-data.ts';
import { newId } from '../clicks/uuid-v7.ts';
import { nextTask } from '../idle.ts';
import { hasOptedOut } from '../opt-out.ts';
import { pageStore } from '../page-store.ts';
import { sendBeacon } from '../send-beacon.ts';
import { sendTracksTo } from '../track.ts';
import { type AnalyticsEvent, type Sender, visitFacts, wireBody } from './posthog-wire.ts';

interface QueueOptions {
  /** Public key of the PostHog project. */
  apiKey: string;
  /** `window.ctaStub`. */
  stub: StubData;
  /** Imports and starts posthog-js. */
  load: () => Promise<Sender>;
}

/** Undefined if the site has no PostHog key, or the browser asks for privacy. */
let options: QueueOptions | undefined;
let waiting: AnalyticsEvent[] = [];
let sender: Sender | undefined;
/** True once posthog-js has all events of the queue: from then on, it gets each event directly. */
let isDrained = false;
let hasStartedLoading = false;

/** Takes the events of `track` from now on. */
export function startQueue(queueOptions: QueueOptions): void {
  options = queueOptions;
  sendTracksTo((event, properties, { uuid, at } = { uuid: newId(), at: Date.now() }) => {
    if (hasOptedOut()) return;
    const entry = { uuid, event, properties, at };
    if (isDrained) sender?.send(entry);
    else waiting.push(entry);
    if (document.visibilityState === 'hidden') flushEvents();
  });
}

/**
 * Loads posthog-js and passes it the queue. Repeated calls load it once. After a failure, the next
 * call retries.
 */
export async function loadPosthog(): Promise<void> {
  if (!options || hasStartedLoading || hasOptedOut()) return;
  hasStartedLoading = true;
  try {
    sender = await options.load();
  } catch {
    // A content blocker or a broken connection. A beacon can still send the queue later.
    hasStartedLoading = false;
    return;
  }
  sender.setOff(hasOptedOut());
  // Each event has its own task, so that none is long. If the page closes in between, the beacon
  // has the events that are left.
  for (let event = waiting.shift(); event; event = waiting.shift()) {
    sender.send(event);
    await nextTask();
  }
  isDrained = true;
}

/** Sends the queue as a beacon, because the page may close before posthog-js has sent it. */
export function flushEvents(): void {
  if (!options || isDrained || waiting.length === 0 || hasOptedOut()) return;
  const { apiKey, stub } = options;
  const body = wireBody(apiKey, waiting, visitFacts(stub, pageStore.getState().ref));
  // The queue is kept if the browser does not accept the beacon. Sending an event twice is safe,
  // because PostHog counts its id once.
  if (sendBeacon(`${POSTHOG_PATH}/e/`, json(body))) waiting = [];
}

const json = (text: string) => new Blob([text], { type: 'application/json' });

/** Stops the sending of events and drops the queue if the visitor opts out; else resumes it. */
export function setTrackingOff(isOff: boolean): void {
  if (isOff) waiting = [];
  sender?.setOff(isOff);
}
