/**
 * Makes the event that PostHog gets, from a browser's event or from a click's row. Every event of a visit has the same visit
 * properties (contract/events.ts). Everything else is left out.
 */
import { detectBrowser, detectDeviceType, detectOS } from '@posthog/core/utils';
import { EVENTS, type PlannedProperty, type VisitProperties } from '#contract/events.ts';
import { MAX_PAGE_URL, MAX_REFERRER, MAX_USER_AGENT } from '#contract/limits.ts';
import {
  CAMPAIGN_PARAMETERS,
  CAMPAIGN_VALUE,
  isReferringClass,
  SCREEN_CLASSES,
  type ScreenClass,
} from '#contract/visit.ts';

export type EventName = keyof typeof EVENTS;

/**
 * Withholds the visitor's address. If an event has no `$ip`, PostHog stores the address of our server, and derives a place from
 * it. RFC 5737 reserves this address for documentation, so that no visitor has it.
 */
const WITHHELD_ADDRESS = { $ip: '192.0.2.0', $geoip_disable: true } as const;

/** An event for PostHog. `timestamp` is the browser's, as it sent it: send it with clock correction off. */
export interface CompleteEvent {
  /** A click's is the id of its row, and its `distinct_id` too where the row has no visit. */
  uuid: string;
  event: EventName;
  distinct_id: string;
  timestamp: string;
  properties: VisitProperties & Record<string, string | number | boolean | null>;
}

/** The known facts of an event. Values may come from outside: those that the plan does not allow are left out. */
export interface EventFacts {
  uuid: string;
  event: EventName;
  visitId: string | null;
  timestamp: string;
  referrer: unknown;
  /** utm values by their parameters. */
  campaign: unknown;
  /** The class or the host, as `referrerDetail` allows it. */
  referringDomain: string | null;
  screenClass: unknown;
  pageUrl: unknown;
  userAgent: string;
  /** What the user agent says, by `deviceOf`. */
  device: Device;
  /** The event's own properties. */
  own: Record<string, unknown>;
}

/** Completes an event. Pure. */
export function completeEvent(facts: EventFacts): CompleteEvent {
  const { uuid, event, visitId, timestamp } = facts;
  return {
    uuid,
    event,
    distinct_id: visitId ?? uuid,
    timestamp,
    properties: { ...visitProperties(facts), ...ownProperties(event, facts.own) },
  };
}

function visitProperties(facts: EventFacts): VisitProperties {
  const { visitId } = facts;
  return {
    referrer: textOrNull(facts.referrer, MAX_REFERRER),
    visit_id: visitId,
    $session_id: visitId,
    ...referringProperties(facts.referringDomain),
    ...campaignProperties(facts.campaign),
    ...facts.device,
    screen_class: isScreenClass(facts.screenClass) ? facts.screenClass : null,
    ...pageProperties(facts.pageUrl),
    $raw_user_agent: facts.userAgent.slice(0, MAX_USER_AGENT),
    $process_person_profile: false,
    ...WITHHELD_ADDRESS,
  };
}

/** PostHog would take a class for the host of a site that refers, and would count each visit as "Referral". */
function referringProperties(kept: string | null) {
  if (!isReferringClass(kept)) return { $referring_domain: kept, referring_class: null };
  return { $referring_domain: kept === 'direct' ? '$direct' : null, referring_class: kept };
}

const isScreenClass = (value: unknown): value is ScreenClass =>
  SCREEN_CLASSES.some((name) => name === value);

const textOrNull = (value: unknown, max: number): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, max) : null;

type CampaignProperties = Pick<VisitProperties, (typeof CAMPAIGN_PARAMETERS)[number]>;

function campaignProperties(campaign: unknown): CampaignProperties {
  const given = Object(campaign) as Record<string, unknown>;
  const entries = CAMPAIGN_PARAMETERS.map((name) => {
    const value = given[name];
    return [name, typeof value === 'string' && CAMPAIGN_VALUE.test(value) ? value : null];
  });
  return Object.fromEntries(entries) as CampaignProperties;
}

export type Device = Pick<VisitProperties, '$browser' | '$os' | '$device_type'>;

/**
 * PostHog's own detection, so that the names are those of its insights. An unknown one is empty there, and null here. Its
 * patterns take time that grows with the square of the length: call it once per request.
 *
 * @param userAgent at most MAX_USER_AGENT characters
 */
export function deviceOf(userAgent: string): Device {
  return {
    $browser: detectBrowser(userAgent, undefined) || null,
    $os: detectOS(userAgent)[0] || null,
    $device_type: detectDeviceType(userAgent) || null,
  };
}

function pageProperties(pageUrl: unknown) {
  const text = typeof pageUrl === 'string' ? pageUrl.slice(0, MAX_PAGE_URL) : '';
  const page = /^https?:/i.test(text) ? URL.parse(text) : null;
  return {
    $host: page?.host ?? null,
    $pathname: page?.pathname ?? null,
    $current_url: page && `${page.origin}${page.pathname}`,
  };
}

/** The event's own properties of the plan. One that is missing, or not of the plan's type, is null. */
function ownProperties(event: EventName, own: Record<string, unknown>) {
  const planned = Object.entries<PlannedProperty>(EVENTS[event].properties);
  return Object.fromEntries(
    planned.map(([name, plan]) => [name, isPlanned(own[name], plan) ? own[name] : null]),
  ) as Record<string, string | number | boolean | null>;
}

const MAX_OWN_TEXT = 200;

function isPlanned(value: unknown, { type, values }: PlannedProperty): boolean {
  if (values) return values.some((one) => one === value);
  if (type === 'number') return Number.isFinite(value);
  if (type === 'boolean') return typeof value === 'boolean';
  return typeof value === 'string' && value.length <= MAX_OWN_TEXT;
}
