/**
 * The only import of posthog-js: the slim build, with everything automatic off.
 * No cookie, no storage, no person: it counts events and nothing else.
 */
import { posthog } from 'posthog-js/dist/module.slim.no-external.js';
import { POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import { nextTask } from '../idle.ts';
import type { AnalyticsEvent, Sender, WireFacts } from './posthog-wire.ts';

/**
 * Starts posthog-js in steps, so that no task is long.
 *
 * @returns a sender, which also works while the page is closing
 */
export async function startPosthog(apiKey: string, facts: WireFacts): Promise<Sender> {
  /** Own properties of the event that posthog-js is making, which it does within one call. */
  let own: object = {};
  posthog.init(apiKey, {
    // Our own proxy.
    api_host: new URL(POSTHOG_PROXY_PATH, location.href).href,
    // A session id must be a UUID v7 that is not dated ahead, which a visit's id is.
    bootstrap: { distinctID: facts.visit_id, sessionID: facts.visit_id },
    persistence: 'memory',
    person_profiles: 'never',
    respect_dnt: true,
    advanced_disable_flags: true,
    autocapture: false,
    capture_pageview: false,
    capture_pageleave: false,
    capture_performance: false,
    capture_heatmaps: false,
    capture_dead_clicks: false,
    capture_exceptions: false,
    disable_scroll_properties: true,
    disable_session_recording: true,
    disable_surveys: true,
    disable_external_dependency_loading: true,
    // Compression is asynchronous, and a closing tab does not wait for it.
    disable_compression: true,
    // Leaves out everything that posthog-js adds: addresses with their queries, advertisers' click
    // ids, screen, language.
    before_send: (made) => made && { ...made, properties: { token: apiKey, ...facts, ...own } },
  });

  await nextTask();
  // Does half of the first event's work ahead of time, read-only, because the first event costs
  // most.
  posthog.calculateEventProperties('$pageview', {}, new Date(), undefined, true);
  await nextTask();

  const send = ({ event, properties, uuid, at }: AnalyticsEvent): void => {
    own = properties;
    posthog.capture(
      event,
      {},
      {
        uuid,
        timestamp: new Date(at),
        send_instantly: true,
        ...(document.hidden && { transport: 'sendBeacon' as const }),
      },
    );
  };
  return { send, setOff };
}

/**
 * posthog-js's own opt-out would store a choice of its own, and would still send its queue of
 * failed requests. Every request of posthog-js checks `__loaded` first, so that without it the
 * queue drops its entries.
 */
function setOff(isOff: boolean): void {
  if (posthog.__loaded !== isOff) return;
  posthog.__loaded = false;
  posthog._retryQueue?.unload();
  if (isOff) return;
  posthog.__loaded = true;
  posthog._retryQueue?.resume();
}
