/**
 * Makes events for PostHog, from a browser's event or from a click's row. All events of a visit
 * have the same visit properties (visit-properties.ts). Other data is left out.
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
 * Hides the visitor's address. Without `$ip`, PostHog would store our server's address and derive a
 * place from it. RFC 5737 reserves this address for documentation, so no visitor has it.
 */
const WITHHELD_ADDRESS = { $ip: '192.0.2.0', $geoip_disable: true } as const;

/**
 * An event for PostHog. `timestamp` is by the browser's clock, so PostHog's clock correction must
 * be off.
 */
export interface PosthogEvent {
  /** For a click, the id of its row. It is also the `distinct_id` if the row has no visit id. */
  uuid: string;
  event: EventName;
  distinct_id: string;
  timestamp: string;
  properties: VisitProperties & Record<string, string | number | boolean | null>;
}

type CopiedProperty = (typeof COPIED_NAMES)[number] & keyof VisitProperties;
/** The fields of a click that become properties of its event without a change. */
const COPIED_PROPERTIES = COPIED_NAMES.filter(
  (name): name is CopiedProperty => name in VISIT_PROPERTIES,
);

/** Columns of a click's row. For a browser's event, those about its visit. */
type Columns = { [name in keyof ClickRow]?: ClickRow[name] | null | undefined };

interface EventFacts extends Columns {
  uuid: string;
  event: EventName;
  timestamp: string;
  device: ReturnType<typeof detectDevice>;
  /** The event's own properties. Those that the tracking plan does not allow are left out. */
  own: Record<string, unknown>;
}

/** Makes an event with all visit properties. */
export function makePosthogEvent(facts: EventFacts): PosthogEvent {
  const { uuid, event, visit_id = null, timestamp } = facts;
  return {
    uuid,
    event,
    distinct_id: visit_id ?? uuid,
    timestamp,
    properties: {
      referrer: facts.referrer || null,
      // Empty means that the ref names no source.
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

/**
 * Makes the utm properties. A value that is not kept is an empty text in a row, and null in an
 * event.
 */
function makeCampaignProperties(facts: Columns) {
  const kept = CAMPAIGN_PARAMETERS.map((name) => [name, facts[name] || null] as const);
  return Object.fromEntries(kept) as Record<(typeof CAMPAIGN_PARAMETERS)[number], string | null>;
}

/**
 * Makes the properties about the referring site. An unknown class becomes null: a newer server may
 * have written it to the log.
 */
function makeReferringProperties({ referring_class: kept, referring_site = null }: Columns) {
  const referring_class = REFERRING_CLASSES.find((name) => name === kept) ?? null;
  const $referring_domain = posthogReferringDomain({ referring_class, referring_site });
  return { $referring_domain, referring_class, referring_site };
}

/**
 * Detects browser, system and type of device with PostHog's own code, so that the names match its
 * insights. Unknown ones are null. The patterns take time quadratic in the length of the user
 * agent, so call this once per request.
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

/** Makes the properties about the page. The query is left out. */
function makePageProperties(pageUrl: string) {
  const page = /^https?:/i.test(pageUrl) ? URL.parse(pageUrl) : null;
  return {
    $host: page?.host ?? null,
    $pathname: page?.pathname ?? null,
    $current_url: page && `${page.origin}${page.pathname}`,
  };
}

/**
 * Makes the event's own properties. One that is missing, or is not of the planned type, is null.
 */
function makeOwnProperties(event: EventName, own: Record<string, unknown>) {
  const planned = Object.entries<PlannedProperty>(EVENTS[event]);
  return Object.fromEntries(
    planned.map(([name, plan]) => [name, isOfPlannedType(own[name], plan) ? own[name] : null]),
  ) as Record<string, string | number | boolean | null>;
}

/** Upper bound for a text, in characters. */
const MAX_OWN_TEXT = 200;
/**
 * Upper bound for a number: 11 days in milliseconds. Larger or negative numbers would distort
 * averages.
 */
const MAX_OWN_NUMBER = 1e9;

function isOfPlannedType(value: unknown, { type, values }: PlannedProperty): boolean {
  if (values) return values.some((one) => one === value);
  if (type === 'number') return typeof value === 'number' && value >= 0 && value <= MAX_OWN_NUMBER;
  if (type === 'boolean') return typeof value === 'boolean';
  return typeof value === 'string' && value.length <= MAX_OWN_TEXT;
}

/** A row of the outbox that is due, joined with its click's row if PostHog may get the click. */
export interface DueRow extends Columns {
  uuid: string;
  /** The event as JSON; null: the row is for a click. */
  stored: string | null;
  attempts: number;
  /** When the event was postponed the first time, in milliseconds since 1970. */
  retry_since?: number | null;
  event: string;
  received_at: number;
}

/**
 * Makes the event of an outbox row. A click's event is made from the click's row, so that both
 * always agree.
 *
 * @returns the event. `withdrawn`: PostHog must not get the click, or its row was deleted.
 * `unknown`: this server does not know the click's button
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
