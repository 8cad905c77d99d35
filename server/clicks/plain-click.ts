/**
 * The short way through the contract, for what browsers really send: it says yes only where `clickSchema` would hand
 * the body back as it is. Whatever it does not know, and every fault, is the schema's. A test compares the two.
 */
import { z } from 'zod';
import { CTA_EVENTS } from '#contract/cta.ts';
import { MAX_PAGE_URL, MAX_REFERRER, MAX_USER_AGENT } from '#contract/limits.ts';
import type { ParsedClick } from '#contract/log-cta.schema.ts';

const EVENTS: ReadonlySet<unknown> = new Set(CTA_EVENTS);
const IPV4 = z.regexes.ipv4;
const TIMESTAMP = z.regexes.datetime({ precision: 3 });
/** In lower case, as the schema makes it. */
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** A plain host name; behind it a URL may hold anything. */
const PAGE_URL =
  /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)*[a-z][a-z0-9]*(?::\d{1,4})?(?:[/?#]|$)/;

type Fields = Partial<Record<keyof ParsedClick, unknown>> | null | undefined;

/** Keys that the contract does not know may be left on it. */
export function isPlainClick(body: unknown): body is ParsedClick {
  const click = body as Fields;
  return (
    EVENTS.has(click?.event) &&
    (click?.referrer === null || isPlainText(click?.referrer, MAX_REFERRER)) &&
    (click.ip === null || matches(IPV4, click.ip)) &&
    matches(TIMESTAMP, click.timestamp) &&
    isPlainText(click.page_url, MAX_PAGE_URL) &&
    PAGE_URL.test(click.page_url) &&
    isPlainText(click.user_agent, MAX_USER_AGENT) &&
    typeof click.is_mobile === 'boolean' &&
    (click.id === undefined || matches(UUID_V7, click.id)) &&
    (click.visit_id === undefined || matches(UUID_V7, click.visit_id)) &&
    (click.sent_at === undefined || matches(TIMESTAMP, click.sent_at)) &&
    click.dropped === undefined
  );
}

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function isPlainText(value: unknown, max: number): value is string {
  return (
    typeof value === 'string' &&
    value.length <= max &&
    value.isWellFormed() &&
    !value.includes('\0')
  );
}
