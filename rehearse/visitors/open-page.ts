/** A page in a visitor's browser: the page's real outbox and delivery, on a storage in memory. */
import './api-origin.ts';
import { POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import { createDelivery } from '#tracking/clicks/deliver.ts';
import { createIpLookup } from '#tracking/clicks/ip-lookup.ts';
import { type Click, makeClick } from '#tracking/clicks/make-click.ts';
import { createOutbox } from '#tracking/clicks/outbox.ts';
import { newId } from '#tracking/clicks/uuid-v7.ts';
import { browserEvent } from '../../tests/helpers/fakes/browser-event.ts';
import { memoryStorage } from '../../tests/helpers/fakes/storages.ts';
import { POSTHOG_KEY } from '../layout/folders.ts';
import { type Browser, USER_AGENT } from './browser.ts';

export interface Page {
  click(): Click;
  /** Number of clicks that the server has not confirmed. */
  waiting(): number;
  /** As when the visitor comes back to the tab. */
  comeBack(): void;
  close(): void;
}

interface Parts {
  browser: Browser;
  ref: string;
  /** False: a blocker stops PostHog's events, or the visitor closes the tab before they leave. */
  reachesPosthog: boolean;
  /** Called when the server has confirmed a click. */
  onConfirmed(id: string): void;
}

export function openPage({ browser, ref, reachesPosthog, onConfirmed }: Parts): Page {
  const stored = createOutbox(memoryStorage(), Date.now);
  const outbox = {
    ...stored,
    remove(id: string) {
      stored.remove(id);
      onConfirmed(id);
    },
  };
  const delivery = createDelivery({
    outbox,
    ipLookup: createIpLookup(null, browser.fetch, () => false),
    fetch: browser.fetch,
    sendBeacon: () => false,
    locks: undefined,
    isLoaded: () => true,
    hasOptedOut: () => false,
    now: Date.now,
    random: Math.random,
  });
  const visitId = newId();
  let seq = 0;
  return {
    click() {
      seq += 1;
      const page = { ref, visitId, userAgent: USER_AGENT };
      const url = `https://site.example/?ref=${ref}`;
      const click = makeClick('hero_cta_click', page, url, seq, Date.now(), newId());
      delivery.accept(click);
      if (reachesPosthog) sendToPosthog(browser, click);
      return click;
    },
    waiting: () => stored.list().length,
    comeBack: () => delivery.retryNow(),
    close() {
      delivery.stop();
      browser.close();
    },
  };
}

/** Sends the event once, as posthog-js in a tab that closes before it could try again. */
function sendToPosthog({ fetch }: Browser, { id, visit_id, timestamp, referrer }: Click): void {
  const event = { ...browserEvent(id, { token: POSTHOG_KEY, visit_id, referrer }), timestamp };
  const body = JSON.stringify({ api_key: POSTHOG_KEY, batch: [event] });
  const headers = { 'content-type': 'application/json' };
  fetch(`${POSTHOG_PROXY_PATH}/e/`, { method: 'POST', headers, body }).catch(() => {});
}
