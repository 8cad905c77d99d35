/** The fields of a click in the ledger, in addition to pino's own (level, time, pid, hostname). */
import type { ParsedClick } from '#contract/log-cta.schema.ts';
import type { LogIp } from '#contract/privacy.schema.ts';
import type { UtmValues } from '#contract/visit.ts';
import { newId } from '../database/new-id.ts';
import { loggedAddress } from '../http/address.ts';
import { isBot } from './is-bot.ts';
import type { Moment } from './moment.ts';
import { keptReferrer, type ReferrerSettings } from './referring-domain.ts';

export type Via = 'fetch' | 'beacon' | 'ping';

/** The server's own data about the request of a click. */
export interface Reception {
  remoteIp: string;
  /** The request's own User-Agent header. */
  userAgent: string;
  via: Via;
  receivedAt: Moment;
  reqId: string;
  /** Global Privacy Control or Do Not Track. The line then says so, and has no address, whatever LOG_IP is. */
  wantsPrivacy: boolean;
}

/** Settings that decide what a line has of its visitor. */
export interface LineSettings extends ReferrerSettings {
  logIp: LogIp;
}

export type ClickLine = ReturnType<typeof makeClickLine>;

/** Joins the body's fields and the server's own, in the order of the line. Pure. */
export function makeClickLine(click: ParsedClick, reception: Reception, settings: LineSettings) {
  const policy = reception.wantsPrivacy ? 'none' : settings.logIp;
  return {
    id: click.id ?? newId(),
    visit_id: click.visit_id ?? null,
    event: click.event,
    referrer: click.referrer,
    ip: loggedAddress(click.ip, policy),
    timestamp: click.timestamp,
    page_url: click.page_url,
    user_agent: click.user_agent,
    is_mobile: click.is_mobile,
    sent_at: click.sent_at ?? null,
    /** Clicks that this browser lost from its full outbox. Absent from the line if there are none. */
    dropped: click.dropped,
    // The facts of the visit. Each is absent from the line if it is unknown.
    campaign: filledCampaign(click.campaign),
    referring_domain: keptReferrer(click.referring_domain, click.page_url, settings),
    screen_class: click.screen_class,
    seq: click.seq,
    remote_ip: loggedAddress(reception.remoteIp, policy),
    received_at: reception.receivedAt.iso,
    via: reception.via,
    is_bot: isBot(click.user_agent, reception.userAgent),
    /** Server's clock minus the browser's at sending. Above zero: the browser's is behind, or the network was slow. */
    skew_ms: click.sent_at ? reception.receivedAt.ms - Date.parse(click.sent_at) : null,
    req_id: reception.reqId,
    /** `replay` never sends such a click to PostHog. Absent from the line if undefined. */
    private: reception.wantsPrivacy ? true : undefined,
  };
}

/** Undefined for a campaign without a value. */
function filledCampaign(campaign: UtmValues | undefined): UtmValues | undefined {
  return campaign && Object.values(campaign).some((value) => value !== undefined)
    ? campaign
    : undefined;
}
