/**
 * Makes the row of a page view in the table `visits`, and its event for PostHog. The row is
 * anonymous: it has no address, no browser, and nothing that leads to a click of the same visitor.
 */
import { randomUUID } from 'node:crypto';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { refKey } from '#contract/ref.ts';
import type { ViewBody } from '#contract/view.schema.ts';
import { CAMPAIGN_PARAMETERS } from '#contract/visit.ts';
import type { Value } from '../database/database.ts';
import { isPlausibleTime } from '../http/browser-clock.ts';
import { type Referrer, readReferrer } from '../http/referring-sites.ts';
import { isBot } from '../http/robots.ts';
import { pick } from '../pick.ts';
import { detectDevice, makePosthogEvent, type PosthogEvent } from '../posthog/make-event.ts';
import { MINUTE_MS } from '../time.ts';

/** What the server knows about the request. */
interface Reception {
  /** When the request arrived, in milliseconds since 1970. */
  receivedAt: number;
  userAgent: string;
}

/** A page view to store. */
export interface View {
  row: ViewRow;
  /** Null if PostHog must not get the view. */
  event: PosthogEvent | null;
}

/** The columns of `visits`. */
export type ViewRow = ReturnType<typeof makeViewRow>;

/** Makes the row and the event of a view. The event's id is random, and differs in each call. */
export function makeView(sent: ViewBody, seen: Reception, site: BuiltSite): View {
  const row = makeViewRow(sent, seen, readReferrer(sent, seen.userAgent, site));
  const goesToPosthog = site.posthogKey !== null && !row.is_bot && !row.is_internal;
  return { row, event: goesToPosthog ? makePageviewEvent(sent, seen, row) : null };
}

function makeViewRow(sent: ViewBody, { receivedAt, userAgent }: Reception, referrer: Referrer) {
  return {
    id: sent.id ?? randomUUID(),
    // Rounded down to the minute, because an exact time would lead to the visitor's clicks.
    viewed_at: receivedAt - (receivedAt % MINUTE_MS),
    page: new URL(sent.page_url).pathname,
    referrer: sent.referrer || null,
    ref_key: refKey(sent.referrer),
    ...pick(sent.campaign ?? {}, CAMPAIGN_PARAMETERS, null),
    referring_class: referrer.referring_class,
    referring_site: referrer.referring_site,
    screen_class: sent.screen_class ?? null,
    is_first: sent.is_first,
    is_brief: sent.is_brief ?? false,
    is_bot: isBot(userAgent, userAgent),
    is_internal: sent.is_internal ?? false,
    is_automated: sent.is_automated ?? false,
  } satisfies Record<string, Value>;
}

/**
 * Makes PostHog's event `$pageview`. Its id is random, so that it reveals neither the row nor the
 * time.
 */
const makePageviewEvent = (
  sent: ViewBody,
  { receivedAt, userAgent }: Reception,
  row: ViewRow,
): PosthogEvent =>
  makePosthogEvent({
    ...sent.campaign,
    uuid: randomUUID(),
    event: '$pageview',
    visit_id: sent.visit_id,
    // If the browser's time is not plausible, the server's time is used, because the view itself is
    // real.
    timestamp: isPlausibleTime(Date.parse(sent.timestamp), receivedAt)
      ? sent.timestamp
      : new Date(receivedAt).toISOString(),
    page_url: sent.page_url,
    referrer: sent.referrer,
    ref_key: row.ref_key,
    referring_class: row.referring_class,
    referring_site: row.referring_site,
    screen_class: row.screen_class,
    is_automated: row.is_automated,
    device: detectDevice(userAgent),
    own: {},
  });
