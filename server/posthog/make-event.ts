/**
 * Makes the event that PostHog gets, from a browser's event or from a click's row. Every event of a
 * visit has the same visit properties (visit-properties.ts). Everything else is left out.
 */
import { detectBrowser, detectDeviceType, detectOS } from '@posthog/core/utils';
import { COPIED_NAMES } from '#contract/click-fields.schema.ts';
import { isCtaEvent, labelOf } from '#contract/cta.ts';
import { EVENTS, type PlannedProperty } from '#contract/events.ts';
import { CAMPAIGN_PARAMETERS } from '#contract/visit.ts';
import type { ClickRow } from '../clicks/click.ts';
import { posthogReferringDomain, REFERRING_CLASSES } from '../http/referring-sites.ts';
import { pick } from '../pick.ts';
import { VISIT_PROPERTIES, type VisitProperties } from './visit-properties.ts';

type EventName = keyof typeof EVENTS;

/**
 * Withholds the visitor's address. If an event has no `$ip`, PostHog stores the address of our
 * server, and derives a place from it. RFC 5737 reserves this address for documentation, so that no
 * visitor has it.
 */
const WITHHELD_ADDRESS = { $ip: '192.0.2.0', $geoip_disable: true } as const;

/**
 * An event for PostHog. `timestamp` is the browser's, as it sent it: send it with clock correction
 * off.
 */
export interface PosthogEvent {
  /** A click's is the id of its row, and its `distinct_id` too where the row has no visit. */
  uuid: string;
  event: EventName;
  distinct_id: string;
  timestamp: string;
  properties: VisitProperties & Record<string, string | number | boolean | null>;
}

type CopiedProperty = (typeof COPIED_NAMES)[number] & keyof VisitProperties;
/** The copied fields of a click that are properties of events too. */
const COPIED_PROPERTIES = COPIED_NAMES.filter(
  (name): name is CopiedProperty => name in VISIT_PROPERTIES,
);

/** Columns of a click's row. A browser's event has those of its visit. */
type Columns = { [name in keyof ClickRow]?: ClickRow[name] | null | undefined };

interface EventFacts extends Columns {
  uuid: string;
  event: EventName;
  timestamp: string;
  device: ReturnType<typeof detectDevice>;
  /** The event's own properties: those that the plan does not allow are left out. */
  own: Record<string, unknown>;
}

export function makePosthogEvent(facts: EventFacts): PosthogEvent {
  const { uuid, event, visit_id = null, timestamp } = facts;
  return {
    uuid,
    event,
    distinct_id: visit_id ?? uuid,
    timestamp,
    properties: {
      referrer: facts.referrer || null,
      // An empty column stands for a ref that names no source.
      ref_key: facts.ref_key || null,
      visit_id,
      $session_id: visit_id,
      ...makeReferringProperties(facts),
      ...makeCampaignProperties(facts),
      ...facts.device,
      is_automated: Boolean(facts.is_automated),
      ...pick(facts, COPIED_PROPERTIES, null),
      ...makePageProperties(facts.page_url ?? ''),
      $process_person_profile: false,
      ...WITHHELD_ADDRESS,
      ...makeOwnProperties(event, facts.own),
    },
  };
}

/** A value that is not kept is empty in a row, and null in an event. */
function makeCampaignProperties(facts: Columns) {
  const kept = CAMPAIGN_PARAMETERS.map((name) => [name, facts[name] || null] as const);
  return Object.fromEntries(kept) as Record<(typeof CAMPAIGN_PARAMETERS)[number], string | null>;
}

/** A row from the log of a newer server may have a class that this server does not know. */
function makeReferringProperties({ referring_class: kept, referring_site = null }: Columns) {
  const referring_class = REFERRING_CLASSES.find((name) => name === kept) ?? null;
  const $referring_domain = posthogReferringDomain({ referring_class, referring_site });
  return { $referring_domain, referring_class, referring_site };
}

/**
 * PostHog's own detection, so that the names are those of its insights. An unknown one is empty
 * there, and null here. Its patterns take time that grows with the square of the length: call it
 * once per request.
 *
 * @param userAgent at most MAX_USER_AGENT characters
 */
export function detectDevice(userAgent: string) {
  return {
    $browser: detectBrowser(userAgent, undefined) || null,
    $os: detectOS(userAgent)[0] || null,
    $device_type: detectDeviceType(userAgent) || null,
    $raw_user_agent: userAgent,
  };
}

function makePageProperties(pageUrl: string) {
  const page = /^https?:/i.test(pageUrl) ? URL.parse(pageUrl) : null;
  return {
    $host: page?.host ?? null,
    $pathname: page?.pathname ?? null,
    $current_url: page && `${page.origin}${page.pathname}`,
  };
}

/**
 * The event's own properties of the plan. One that is missing, or not of the plan's type, is null.
 */
function makeOwnProperties(event: EventName, own: Record<string, unknown>) {
  const planned = Object.entries<PlannedProperty>(EVENTS[event]);
  return Object.fromEntries(
    planned.map(([name, plan]) => [name, isPlanned(own[name], plan) ? own[name] : null]),
  ) as Record<string, string | number | boolean | null>;
}

const MAX_OWN_TEXT = 200;
/** 11 days in milliseconds. Numbers above, and below 0, would spoil every average. */
const MAX_OWN_NUMBER = 1e9;

function isPlanned(value: unknown, { type, values }: PlannedProperty): boolean {
  if (values) return values.some((one) => one === value);
  if (type === 'number') return typeof value === 'number' && value >= 0 && value <= MAX_OWN_NUMBER;
  if (type === 'boolean') return typeof value === 'boolean';
  return typeof value === 'string' && value.length <= MAX_OWN_TEXT;
}

/** A row of the outbox, with the columns of its click if PostHog may get it. */
export interface DueRow extends Columns {
  uuid: string;
  /** JSON of a browser's event; null: the row is a click's. */
  stored: string | null;
  attempts: number;
  /** When the event was put off the first time. Milliseconds since 1970. */
  retry_since?: number | null;
  event: string;
  received_at: number;
}

/**
 * Makes a click's event from the click's own row, so that both always agree.
 *
 * @returns `withdrawn`: PostHog must not get the click, or it was deleted. `unknown`: only a newer
 * server has the click's button
 */
export function makeEventOfRow(row: DueRow): PosthogEvent | 'withdrawn' | 'unknown' {
  if (row.stored !== null) return JSON.parse(row.stored);
  if (!row.id) return 'withdrawn';
  if (!isCtaEvent(row.event)) return 'unknown';
  return makePosthogEvent({
    ...row,
    event: 'cta_click',
    timestamp: new Date(row.clicked_at ?? row.received_at).toISOString(),
    device: detectDevice(row.user_agent ?? ''),
    own: { category: 'CTA', label: labelOf(row.event), value: 1, event_id: row.id },
  });
}
