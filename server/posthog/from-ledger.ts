/** Makes PostHog's event from a line of the ledger, for `clicks replay` and the forwarder. */
import { isCtaEvent, labelOf } from '#contract/cta.ts';
import type { LogIp } from '#contract/privacy.schema.ts';
import type { UtmValues } from '#contract/visit.ts';
import { type CompleteEvent, completeEvent, deviceOf } from './complete-event.ts';

/** The fields of a click's line that the event needs. Older lines lack the optional ones. */
export interface LedgerClick {
  id: string;
  visit_id: string | null;
  event: string;
  referrer: string | null;
  timestamp: string;
  page_url: string;
  user_agent: string;
  is_bot: boolean;
  remote_ip?: string | null | undefined;
  private?: boolean | undefined;
  campaign?: UtmValues | undefined;
  referring_domain?: string | undefined;
  screen_class?: string | undefined;
}

/**
 * Why a click never goes to PostHog. `robot`: `is_bot`. `private`: the visitor asked for privacy. `perhaps_private`: the
 * same, by the missing address of an older line. `unknown_cta`: this server does not know the call to action.
 */
export type LeftOut = 'robot' | 'private' | 'perhaps_private' | 'unknown_cta';

export interface LedgerSettings {
  /** How much of an address the servers of this ledger write. */
  logIp: LogIp;
  posthogSendIp: boolean;
}

/** Returns the event that the page sends for this click, or the reason why there is none. Pure. */
export function eventFromLedger(
  click: LedgerClick,
  { logIp, posthogSendIp }: LedgerSettings,
): CompleteEvent | LeftOut {
  if (click.is_bot) return 'robot';
  if (click.private) return 'private';
  // Where the server logs addresses, an older line without one is most likely of a visitor who asked for privacy.
  if (click.remote_ip === null && logIp !== 'none') return 'perhaps_private';
  if (!isCtaEvent(click.event)) return 'unknown_cta';
  return completeEvent({
    uuid: click.id,
    event: 'cta_click',
    visitId: click.visit_id,
    timestamp: click.timestamp,
    referrer: click.referrer,
    campaign: click.campaign,
    referringDomain: click.referring_domain ?? null,
    screenClass: click.screen_class,
    pageUrl: click.page_url,
    userAgent: click.user_agent,
    device: deviceOf(click.user_agent),
    address: posthogSendIp ? (click.remote_ip ?? null) : null,
    own: { category: 'CTA', label: labelOf(click.event), value: 1, event_id: click.id },
  });
}
