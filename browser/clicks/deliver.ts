/**
 * Delivers clicks to the server until it confirms them.
 *
 * A new click waits a moment for the IP address, and is then sent. Clicks that earlier pages and
 * failed attempts have left in the outbox are sent one after the other (`drain`), by one tab at a
 * time. If a confirmation may be lost, the click is sent again: the server counts each id once.
 */
import { LOG_CTA_PATH } from '#contract/limits.ts';
import type { IpLookup } from './ip-lookup.ts';
import type { Click } from './make-click.ts';
import type { Outbox } from './outbox.ts';
import { createRetryTimer } from './retry-timer.ts';
import { clickBody, type Outcome, sendClick } from './send-click.ts';

/** Longest wait of a new click for the IP address. */
const IP_GRACE_MS = 300;
/** Name of the Web Lock that a tab holds while it drains the outbox. */
const LOCK_NAME = 'click-outbox';

export interface DeliveryDependencies {
  outbox: Outbox;
  ipLookup: IpLookup;
  fetch: typeof globalThis.fetch;
  /**
   * Posts JSON in a request that outlives the page.
   *
   * @returns false if the browser does not accept the beacon
   */
  sendBeacon: (url: string, json: string) => boolean;
  /** Whether `fetch` supports `keepalive`. Firefox before 133 aborts requests with the page. */
  hasKeepalive: boolean;
  /** Undefined in old browsers: several tabs may then drain the outbox at the same time. */
  locks: Pick<LockManager, 'request'> | undefined;
  /**
   * Whether the page's load event is over. Until then a click does not wait for the IP address,
   * because Chromium fires no event when it closes a loading tab.
   */
  isLoaded: () => boolean;
  /** Whether the visitor has opted out. If so, nothing is sent. */
  hasOptedOut: () => boolean;
  /** Milliseconds since 1970. */
  now: () => number;
  /** A number from 0 to 1. */
  random: () => number;
}

export type Delivery = ReturnType<typeof createDelivery>;

/** Creates the delivery of one tab. It sends nothing until one of its methods is called. */
export function createDelivery(dependencies: DeliveryDependencies) {
  const { outbox, ipLookup, locks, hasOptedOut, isLoaded } = dependencies;
  /** This page's clicks that no request carries at the moment. */
  const pending = new Map<string, Click>();
  const requests = createRequests(dependencies);
  const retries = createRetryTimer(() => void drain(), dependencies);
  /** Id of the click that failed last. */
  let lastFailed = '';

  /** Sends a click. @returns false if the other clicks have to wait, too */
  async function send(click: Click): Promise<boolean> {
    if (requests.has(click.id)) return true;
    pending.delete(click.id);
    const dropped = outbox.droppedCount();
    const outcome = await requests.send(click, dropped);
    if (outcome === null) return false;
    if (outcome.kind === 'retry') {
      pending.set(click.id, click);
      lastFailed = click.id;
      retries.waitAtLeast(outcome.afterMs);
      retries.schedule();
      return false;
    }
    if (outcome.kind === 'logged') outbox.subtractDropped(dropped);
    outbox.remove(click.id);
    retries.resetBackoff();
    return true;
  }

  /** Sends the clicks of the outbox, and schedules a retry for those that are left. */
  async function drain(): Promise<void> {
    if (hasOptedOut()) return;
    if (retries.mustWait()) return retries.schedule();
    await ifLockIsFree(locks, async () => {
      // The click that failed last is sent last, so that it cannot block the others.
      for (const click of startingAfter(lastFailed, outbox.list())) {
        if (!outbox.has(click.id)) continue; // Another tab has delivered it.
        if (hasOptedOut() || !(await send(click))) return;
      }
    });
    if (outbox.list().some((click) => !requests.has(click.id))) retries.schedule();
  }

  return {
    /** Stores a new click in the outbox, and sends it as soon as its IP address is known. */
    accept(click: Click): void {
      if (hasOptedOut()) return;
      outbox.put(click);
      pending.set(click.id, click);
      void ipLookup.answerWithin(isLoaded() ? IP_GRACE_MS : 0).then((ip) => {
        if (hasOptedOut() || !outbox.has(click.id)) return;
        const complete = ip ? { ...click, ip } : click;
        if (ip) outbox.put(complete);
        if (retries.mustWait()) retries.schedule();
        else void send(complete);
      });
    },
    /** Drains the outbox without waiting for the back-off, because the page is shown or online. */
    retryNow(): void {
      retries.cancel();
      void drain();
    },
    /** Sends each click that no request surely carries as a beacon: the page may close. */
    flush(): void {
      if (hasOptedOut()) return;
      sendAsBeacons(pending, dependencies);
      sendAsBeacons(requests.endingWithPage, dependencies);
    },
    /** Empties the outbox and aborts every request, because the visitor has opted out. */
    discard(): void {
      retries.cancel();
      pending.clear();
      requests.abortAll();
      outbox.clear();
    },
  };
}

/**
 * Sends clicks as beacons, and removes from the map those that the browser accepts. The clicks stay
 * in the outbox until a request confirms them, because a beacon has no response.
 */
function sendAsBeacons(
  clicks: Map<string, Click>,
  { ipLookup, now, sendBeacon }: DeliveryDependencies,
): void {
  for (const click of clicks.values()) {
    const body = clickBody({ ...click, ip: ipLookup.known() }, 0, now());
    if (sendBeacon(`${LOG_CTA_PATH}?via=beacon`, body)) clicks.delete(click.id);
  }
}

/** Keeps the requests that are under way, each by the id of its click. */
function createRequests({
  fetch,
  hasKeepalive,
  now,
}: Pick<DeliveryDependencies, 'fetch' | 'hasKeepalive' | 'now'>) {
  const controllers = new Map<string, AbortController>();
  /** Clicks whose request the browser aborts with the page, unless a beacon has carried them. */
  const endingWithPage = new Map<string, Click>();
  /** Number of calls of `abortAll`: a request that began before the last one has no outcome. */
  let aborts = 0;

  return {
    endingWithPage,
    has: (id: string): boolean => controllers.has(id),
    /** Sends a click. @returns null if `abortAll` was called in the meantime */
    async send(click: Click, dropped: number): Promise<Outcome | null> {
      const abort = new AbortController();
      const abortsBefore = aborts;
      controllers.set(click.id, abort);
      if (!hasKeepalive) endingWithPage.set(click.id, click);
      const outcome = await sendClick(click, dropped, { fetch, now, abort });
      controllers.delete(click.id);
      endingWithPage.delete(click.id);
      return aborts === abortsBefore ? outcome : null;
    },
    abortAll(): void {
      aborts += 1;
      endingWithPage.clear();
      for (const abort of controllers.values()) abort.abort();
    },
  };
}

/** Returns the clicks in the order of their ids, from the one after `id` on and wrapping around. */
function startingAfter(id: string, clicks: Click[]): Click[] {
  const isLater = (click: Click) => click.id > id;
  return [...clicks.filter(isLater), ...clicks.filter((click) => !isLater(click))];
}

/**
 * Runs the work while this tab holds the lock. If another tab holds it, returns without the work: a
 * suspended tab may hold a lock for hours.
 */
async function ifLockIsFree(
  locks: DeliveryDependencies['locks'],
  work: () => Promise<void>,
): Promise<void> {
  if (!locks) return work();
  await locks.request(LOCK_NAME, { ifAvailable: true }, (lock) => (lock ? work() : undefined));
}
