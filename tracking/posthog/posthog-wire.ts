/**
 * PostHog's wire format, for events that must be sent before posthog-js has loaded:
 * `POST <api host>/e/` with `{ api_key, batch: [{ uuid, event, properties, timestamp }], sent_at }`.
 */
import { MOBILE_USER_AGENT } from '#contract/limits.ts';
import type { AnalyticsEvent } from './analytics.ts';

export interface WireContext {
  apiKey: string;
  visitId: string;
  page: URL;
  userAgent: string;
}

/** The JSON body. Without `$host` and `$raw_user_agent` PostHog would drop a cookieless event silently. */
export function wireBody(
  events: readonly AnalyticsEvent[],
  context: WireContext,
  now: number,
): string {
  return JSON.stringify({
    api_key: context.apiKey,
    batch: events.map(({ uuid, event, properties, at }) => ({
      uuid,
      event,
      timestamp: new Date(at).toISOString(),
      properties: {
        ...properties,
        token: context.apiKey,
        distinct_id: context.visitId,
        $host: context.page.host,
        $pathname: context.page.pathname,
        $current_url: withoutQuery(context.page.href),
        $raw_user_agent: context.userAgent,
        $device_type: MOBILE_USER_AGENT.test(context.userAgent) ? 'Mobile' : 'Desktop',
        $process_person_profile: false,
      },
    })),
    sent_at: new Date(now).toISOString(),
  });
}

/** Removes the query and the fragment of a URL, because PostHog gets no parameter except `ref`. */
export const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');
