/** What stands in the ledger for one click, beside pino's own fields (level, time, pid, hostname). */
import type { ParsedClick } from '#contract/log-cta.schema.ts';
import type { LogIp } from '#contract/privacy.schema.ts';
import { newId } from '../database/new-id.ts';
import { loggedAddress } from '../http/address.ts';
import { isBot } from './is-bot.ts';
import type { Moment } from './moment.ts';

export type Via = 'fetch' | 'beacon' | 'ping';

/** What the server itself saw of the request that brought a click. */
export interface Reception {
  remoteIp: string;
  /** The request's own User-Agent header. */
  userAgent: string;
  via: Via;
  receivedAt: Moment;
  reqId: string;
  /** Global Privacy Control or Do Not Track: the line says so, and has no address, whatever LOG_IP says. */
  wantsPrivacy: boolean;
}

export type ClickLine = ReturnType<typeof makeClickLine>;

/** Pure: the body's ten fields and the server's own, in the order in which they stand in the line. */
export function makeClickLine(click: ParsedClick, reception: Reception, logIp: LogIp) {
  const policy = reception.wantsPrivacy ? 'none' : logIp;
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
    /** Clicks that this browser lost from its full outbox; the line leaves the field out where there are none. */
    dropped: click.dropped,
    remote_ip: loggedAddress(reception.remoteIp, policy),
    received_at: reception.receivedAt.iso,
    via: reception.via,
    is_bot: isBot(click.user_agent, reception.userAgent),
    /** Server's clock minus the browser's when it sent: above zero, the browser's is behind (or the way was long). */
    skew_ms: click.sent_at ? reception.receivedAt.ms - Date.parse(click.sent_at) : null,
    req_id: reception.reqId,
    /** Never goes to PostHog; the line leaves the field out where it is undefined. */
    private: reception.wantsPrivacy ? true : undefined,
  };
}
