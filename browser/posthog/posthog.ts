/**
 * Starts posthog-js, in its slim build with all automatic capture off. It sets no cookie, stores
 * nothing and makes no person profile. Only this module imports posthog-js.
 */
import { posthog } from 'posthog-js/dist/module.slim.no-external.js';
import { POSTHOG_PATH } from '#contract/limits.ts';
import { nextTask } from '../idle.ts';
import type { AnalyticsEvent, Sender, WireFacts } from './posthog-wire.ts';

/** Everything that posthog-js would do by itself, switched off. */
const NOTHING_AUTOMATIC = {
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
} as const;

/**
 * Starts posthog-js in several short tasks, so that the page stays responsive.
 *
 * @param facts properties that all events share
 * @returns a sender, which also works while the page is closing
 */
export async function startPosthog(apiKey: string, facts: WireFacts): Promise<Sender> {
  /** Properties of the event that `send` captures. `before_send` reads them in the same call. */
  let ownProperties: object = {};
  posthog.init(apiKey, {
    ...NOTHING_AUTOMATIC,
    api_host: new URL(POSTHOG_PATH, location.href).href,
    // PostHog requires a session id that is a UUID v7 and not dated in the future. The id of the
    // visit is one.
    bootstrap: { distinctID: facts.visit_id, sessionID: facts.visit_id },
    // Replaces all properties that posthog-js adds (addresses with their queries, advertisers'
    // click ids, screen, language) by those of the tracking plan.
    before_send: (captured) =>
      captured && { ...captured, properties: { token: apiKey, ...facts, ...ownProperties } },
  });

  await nextTask();
  // Warm-up: computes the properties of one event and sends nothing, so that the first click's task
  // is short.
  posthog.calculateEventProperties('$pageview', {}, new Date(), undefined, true);
  await nextTask();

  const send = ({ event, properties, uuid, at }: AnalyticsEvent): void => {
    ownProperties = properties;
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
 * Stops or resumes the sending of events. The opt-out of posthog-js is not used: it would store a
 * second flag, and would still send its retry queue. Every request of posthog-js checks `__loaded`
 * first: while it is false, the retry queue drops its entries.
 */
function setOff(isOff: boolean): void {
  if (posthog.__loaded !== isOff) return;
  posthog.__loaded = false;
  posthog._retryQueue?.unload();
  if (isOff) return;
  posthog.__loaded = true;
  posthog._retryQueue?.resume();
}
