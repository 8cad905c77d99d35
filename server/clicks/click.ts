/**
 * Makes the row of a new click in the table `clicks`, from what the browser sent and what the
 * server saw.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { type ClickBody, COPIED_NAMES } from '#contract/click-fields.schema.ts';
import { isCtaEvent } from '#contract/cta.ts';
import { refKey } from '#contract/ref.ts';
import { CAMPAIGN_PARAMETERS } from '#contract/visit.ts';
import type { Value } from '../database/database.ts';
import { loggedAddress, wantsPrivacy } from '../http/address.ts';
import { readReferrer } from '../http/referring-sites.ts';
import { isBot, userAgentOf } from '../http/robots.ts';
import { pick } from '../pick.ts';

/** The columns of `clicks` that are set when a click arrives. Times are milliseconds since 1970. */
export type NewClickRow = ReturnType<typeof makeClickRow>;

/**
 * The columns that `site forget` leaves in a row. They do not describe the visitor, and the figures
 * need them.
 */
export type ForgottenClick = Pick<
  NewClickRow,
  'id' | 'event' | 'received_at' | 'via' | 'is_bot' | 'is_internal' | 'is_automated' | 'is_private'
>;

/** Columns that no rule and no operator ever empties. */
type LastingColumns = ForgottenClick & Pick<NewClickRow, 'is_known'>;

/**
 * A row of `clicks`: of a new click, or read from a line of the log. Columns about the visitor are
 * null if an operator or a retention rule has emptied them.
 */
export type ClickRow = LastingColumns & {
  [column in Exclude<keyof NewClickRow, keyof LastingColumns | 'referring_class'>]:
    | NewClickRow[column]
    | null;
} & {
  /** Any text, because a newer server may have written a class that this server does not know. */
  referring_class: string | null;
  /** When an operator emptied the row, in milliseconds since 1970. Null or absent: never. */
  forgotten_at?: number | null;
};

/** What the server knows about the request. */
interface Reception {
  request: FastifyRequest;
  receivedAt: number;
  via: 'fetch' | 'beacon' | 'ping';
}

/** Makes the row of a new click. Draws an id if the browser sent none, as `ping` does. */
export function makeClickRow(sent: ClickBody, seen: Reception, site: BuiltSite) {
  const { request, receivedAt, via } = seen;
  const isPrivate = wantsPrivacy(request.headers);
  const policy = isPrivate ? 'none' : site.logIp;
  const referrer = readReferrer(sent, sent.user_agent, site);
  return {
    id: sent.id ?? randomUUIDv7(),
    event: sent.event,
    received_at: receivedAt,
    clicked_at: Date.parse(sent.timestamp),
    sent_at: sent.sent_at === undefined ? null : Date.parse(sent.sent_at),
    visit_id: sent.visit_id ?? null,
    referrer: sent.referrer,
    ref_key: refKey(sent.referrer),
    ...pick(sent.campaign ?? {}, CAMPAIGN_PARAMETERS, null),
    referring_class: referrer.referring_class,
    referring_site: referrer.referring_site,
    page_url: sent.page_url,
    user_agent: sent.user_agent,
    is_mobile: sent.is_mobile,
    ip: loggedAddress(sent.ip, policy),
    remote_ip: loggedAddress(request.ip, policy),
    via,
    is_bot: isBot(sent.user_agent, userAgentOf(request)),
    is_internal: sent.is_internal ?? false,
    is_automated: sent.is_automated ?? false,
    is_private: isPrivate,
    is_known: isCtaEvent(sent.event),
    req_id: request.id,
    ...pick(sent, COPIED_NAMES, null),
  } satisfies Record<string, Value>;
}
