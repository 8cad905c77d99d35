/**
 * Delivers clicks to our server until it confirms them.
 *
 * Sends a fresh click after a short wait for the IP look-up. One tab at a time drains the clicks
 * that earlier pages and failed attempts left in the outbox. In doubt a click is sent twice,
 * because the server takes each id once. A tab never waits for another tab's lock, because a
 * suspended tab may hold it for hours.
 */
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { backoffMs } from './backoff.ts';
import type { IpLookup } from './ip-lookup.ts';
import type { Click } from './make-click.ts';
import type { Outbox } from './outbox.ts';
import { clickBody, sendClick } from './send-click.ts';

const IP_GRACE_MS = 300;
const LOCK = 'click-outbox';

export interface DeliveryParts {
  outbox: Outbox;
  ipLookup: IpLookup;
  fetch: typeof globalThis.fetch;
  /** Sends JSON that outlives the page. @returns false when the browser does not take it */
  sendBeacon: (url: string, json: string) => boolean;
  /** Whether a request of `fetch` outlives the page. Firefox before 133 ends it with the page. */
  hasKeepalive: boolean;
  /** Absent in old browsers: then every tab drains. */
  locks: Pick<LockManager, 'request'> | undefined;
  /** Before, nothing is waited for, because the browser may close the tab without an event. */
  isLoaded: () => boolean;
  /** Whether the visitor has opted out, so that nothing may be sent. */
  hasOptedOut: () => boolean;
  now: () => number;
  random: () => number;
}

export type Delivery = ReturnType<typeof createDelivery>;

export function createDelivery(parts: DeliveryParts) {
  const { outbox, ipLookup, now } = parts;
  /** This page's clicks that no fetch is carrying yet. */
  const pending = new Map<string, Click>();
  /** Clicks whose request would end with the page, until they are sent as beacons too. */
  const endingWithPage = new Map<string, Click>();
  const inFlight = new Map<string, AbortController>();
  let attempt = 0;
  let notBefore = 0;
  /**
   * The click that failed last. The next round begins after it, so that one bad click cannot block
   * the others.
   */
  let lastFailed = '';
  /** Counts the calls of `discard`, so that an earlier attempt stores nothing afterwards. */
  let discards = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** @returns false when there is no point in sending more now */
  async function send(click: Click): Promise<boolean> {
    if (inFlight.has(click.id)) return true;
    const abort = new AbortController();
    inFlight.set(click.id, abort);
    pending.delete(click.id);
    if (!parts.hasKeepalive) endingWithPage.set(click.id, click);
    const dropped = outbox.dropped();
    const discardsBefore = discards;
    const outcome = await sendClick(click, dropped, { fetch: parts.fetch, now, abort });
    inFlight.delete(click.id);
    endingWithPage.delete(click.id);
    if (discards !== discardsBefore) return false;
    if (outcome.kind === 'retry') {
      pending.set(click.id, click);
      lastFailed = click.id;
      notBefore = now() + outcome.afterMs;
      tryLater();
      return false;
    }
    if (outcome.kind === 'logged') outbox.reported(dropped);
    outbox.remove(click.id);
    attempt = 0;
    return true;
  }

  function tryLater(): void {
    if (timer !== undefined) return;
    const delay = Math.max(notBefore - now(), backoffMs(attempt, parts.random()));
    attempt += 1;
    timer = setTimeout(() => {
      timer = undefined;
      void drain();
    }, delay);
  }

  async function drain(): Promise<void> {
    if (parts.hasOptedOut()) return;
    if (now() < notBefore) return tryLater();
    await holdingLock(parts.locks, async () => {
      for (const click of startingAfter(lastFailed, outbox.list())) {
        if (!outbox.has(click.id)) continue; // Another tab has delivered it.
        if (parts.hasOptedOut() || !(await send(click))) return;
      }
    });
    if (outbox.list().some((click) => !inFlight.has(click.id))) tryLater();
  }

  return {
    /** Takes a click that has just happened. */
    accept(click: Click): void {
      if (parts.hasOptedOut()) return;
      outbox.put(click);
      pending.set(click.id, click);
      void ipLookup.answerWithin(parts.isLoaded() ? IP_GRACE_MS : 0).then((ip) => {
        if (parts.hasOptedOut() || !outbox.has(click.id)) return;
        const complete = ip ? { ...click, ip } : click;
        if (ip) outbox.put(complete);
        if (now() < notBefore) tryLater();
        else void send(complete);
      });
    },
    /** Sends the waiting clicks, because the page is online, visible or shown again. */
    retryNow(): void {
      clearTimeout(timer);
      timer = undefined;
      void drain();
    },
    /** Sends every click that no fetch surely carries as a beacon, because the page may close. */
    flush(): void {
      if (parts.hasOptedOut()) return;
      for (const clicks of [pending, endingWithPage]) {
        for (const click of clicks.values()) {
          const body = clickBody({ ...click, ip: ipLookup.known() }, 0, now());
          // It stays in the outbox until a fetch confirms it, because a beacon has no response.
          if (parts.sendBeacon(`${LOG_CTA_PATH}?via=beacon`, body)) clicks.delete(click.id);
        }
      }
    },
    /** Empties the outbox and ends every attempt, because the visitor has opted out. */
    discard(): void {
      discards += 1;
      clearTimeout(timer);
      timer = undefined;
      pending.clear();
      endingWithPage.clear();
      for (const abort of inFlight.values()) abort.abort();
      outbox.clear();
    },
  };
}

/**
 * Returns the clicks in the order of their ids, starting after the given one and wrapping around.
 */
function startingAfter(id: string, clicks: Click[]): Click[] {
  const isLater = (click: Click) => click.id > id;
  return [...clicks.filter(isLater), ...clicks.filter((click) => !isLater(click))];
}

/** Runs the work unless another tab holds the lock. */
async function holdingLock(
  locks: DeliveryParts['locks'],
  work: () => Promise<void>,
): Promise<void> {
  if (!locks) return work();
  await locks.request(LOCK, { ifAvailable: true }, (lock) => (lock ? work() : undefined));
}
