/** A click: its row in the table `clicks`, made from what the browser sent and what the server saw. */

import { randomUUIDv7 } from 'node:crypto';
import { isCtaEvent } from '#contract/cta.ts';
import type { ParsedClick } from '#contract/log-cta.schema.ts';
import type { LogIp } from '#contract/privacy.schema.ts';
import type { Value } from '../database/database.ts';
import { loggedAddress } from '../http/address.ts';
import { isBot } from './is-bot.ts';
import { keptReferrer, type ReferrerSettings } from './referring-domain.ts';

/** What the server saw of a click's request. */
export interface Reception {
  remoteIp: string;
  /** The request's own User-Agent header. */
  userAgent: string;
  via: 'fetch' | 'beacon' | 'ping';
  /** Milliseconds since 1970. */
  receivedAt: number;
  reqId: string;
  /** Global Privacy Control or Do Not Track: no address is kept, and PostHog gets nothing. */
  wantsPrivacy: boolean;
}

/** Settings that decide what a row has of its visitor. */
export interface ClickSettings extends ReferrerSettings {
  logIp: LogIp;
}

/** The columns of `clicks` that a new click fills. Times are milliseconds since 1970. */
export type Click = ReturnType<typeof makeClick>;

/** Pure, except for the id of a click that has none. */
export function makeClick(sent: ParsedClick, seen: Reception, settings: ClickSettings) {
  const policy = seen.wantsPrivacy ? 'none' : settings.logIp;
  const { utm_source, utm_medium, utm_campaign, utm_content, utm_term } = sent.campaign ?? {};
  return {
    id: sent.id ?? randomUUIDv7(),
    event: sent.event,
    received_at: seen.receivedAt,
    clicked_at: Date.parse(sent.timestamp),
    sent_at: sent.sent_at === undefined ? null : Date.parse(sent.sent_at),
    visit_id: sent.visit_id ?? null,
    seq: sent.seq ?? null,
    dropped: sent.dropped ?? null,
    referrer: sent.referrer,
    utm_source: utm_source ?? null,
    utm_medium: utm_medium ?? null,
    utm_campaign: utm_campaign ?? null,
    utm_content: utm_content ?? null,
    utm_term: utm_term ?? null,
    referring_domain: keptReferrer(sent.referring_domain, sent.page_url, settings) ?? null,
    page_url: sent.page_url,
    user_agent: sent.user_agent,
    is_mobile: sent.is_mobile,
    screen_class: sent.screen_class ?? null,
    ip: loggedAddress(sent.ip, policy),
    remote_ip: loggedAddress(seen.remoteIp, policy),
    via: seen.via,
    is_bot: isBot(sent.user_agent, seen.userAgent),
    is_private: seen.wantsPrivacy,
    is_known: isCtaEvent(sent.event),
    req_id: seen.reqId,
  } satisfies Record<string, Value>;
}
