/** PostHog's event for a visit, made from the browser's event and from the ledger's line: both must be equal. */
import { describe, expect, test } from 'vitest';
import { EVENTS, VISIT_PROPERTIES } from '#contract/events.ts';
import { redated } from '#contract/redated.ts';
import { keptReferrer, type ReferrerSettings } from '../../../server/clicks/referring-domain.ts';
import { eventFromLedger, type LedgerClick } from '../../../server/posthog/from-ledger.ts';
import { eventsFromBrowser } from '../../../server/posthog/proxy/from-browser.ts';
import { browserEvent, PAGE_URL } from '../../helpers/fakes/browser-event.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';
const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const NOW = Date.parse('2026-11-22T10:00:01.000Z');
/** Dated one second before. */
const CLICK_ID = '01a202b2-c500-7365-87b0-eecac74006ef';
const REQUEST = {
  userAgent: IPHONE,
  address: null,
  now: NOW,
  referrer: { referringDomain: 'class', partnerHosts: ['portal.example'] } as ReferrerSettings,
};
const SETTINGS = { logIp: 'full', posthogSendIp: false } as const;
const CAMPAIGN = { utm_source: 'cure-sma', utm_medium: 'email', utm_campaign: 'spring.2026' };
const FACTS = { campaign: CAMPAIGN, referring_domain: 'www.google.com', screen_class: 'small' };

const complete = (event: object, request: Partial<typeof REQUEST> = {}) => {
  const [made] = eventsFromBrowser([event as ReturnType<typeof browserEvent>], {
    ...REQUEST,
    ...request,
  });
  return made;
};
const lineOf = (event: ReturnType<typeof browserEvent>): LedgerClick => ({
  id: event.uuid,
  visit_id: event.properties.visit_id,
  event: 'hero_cta_click',
  referrer: 'clinic-7',
  timestamp: event.timestamp,
  page_url: `${PAGE_URL}?ref=clinic-7&utm_source=cure-sma#benefits`,
  user_agent: IPHONE,
  is_bot: false,
  remote_ip: '203.0.113.7',
  ...FACTS,
  referring_domain: 'search',
});

test('a click from the browser and from the ledger is the same event, so that PostHog merges them', () => {
  const sent = browserEvent(CLICK_ID, FACTS);
  const fromBrowser = complete(sent);
  expect(eventFromLedger(lineOf(sent), SETTINGS)).toEqual(fromBrowser);
  expect(fromBrowser).toEqual({
    uuid: sent.uuid,
    event: 'cta_click',
    distinct_id: sent.properties.visit_id,
    timestamp: '2026-11-22T10:00:00.000Z',
    properties: {
      referrer: 'clinic-7',
      visit_id: sent.properties.visit_id,
      $session_id: sent.properties.visit_id,
      $referring_domain: null,
      referring_class: 'search',
      ...CAMPAIGN,
      utm_content: null,
      utm_term: null,
      $browser: 'Mobile Safari',
      $os: 'iOS',
      $device_type: 'Mobile',
      screen_class: 'small',
      $host: 'www.site.example',
      $pathname: '/',
      $current_url: PAGE_URL,
      $raw_user_agent: IPHONE,
      $process_person_profile: false,
      $ip: '192.0.2.0',
      $geoip_disable: true,
      category: 'CTA',
      label: 'hero_button',
      value: 1,
      event_id: sent.uuid,
    },
  });
});

test('a browser whose clock is ahead gives PostHog the click under the corrected id of its line', () => {
  const ahead = '01b20318-5f73-7365-87b0-eecac74006ef';
  const made = complete(browserEvent(ahead));
  expect(made?.uuid).toBe(redated(ahead, NOW));
  expect(made?.properties.event_id).toBe(made?.uuid);
});

test('with POSTHOG_SEND_IP=on both have the visitor’s address', () => {
  const sent = browserEvent(CLICK_ID, FACTS);
  const fromBrowser = complete(sent, { address: '203.0.113.7' as never });
  expect(eventFromLedger(lineOf(sent), { ...SETTINGS, posthogSendIp: true })).toEqual(fromBrowser);
  expect(fromBrowser?.properties.$ip).toBe('203.0.113.7');
});

test('every event has exactly the properties of the plan, also if the browser sends none or others', () => {
  for (const [event, { properties }] of Object.entries(EVENTS)) {
    const expected = [...Object.keys(VISIT_PROPERTIES), ...Object.keys(properties)].sort();
    const bare = { visit_id: browserEvent().properties.visit_id };
    for (const given of [bare, { ...browserEvent().properties, gclid: 'x', $referrer: 'y' }]) {
      const made = complete({ ...browserEvent(), event, properties: given });
      expect(Object.keys(made?.properties ?? {}).sort()).toEqual(expected);
    }
  }
});

test.each([
  ['a campaign’s value with a space', { campaign: { utm_source: 'ana example' } }],
  ['a campaign’s value that is an address', { campaign: { utm_source: 'ana@example.org' } }],
  ['a campaign’s value that is too long', { campaign: { utm_source: 'x'.repeat(65) } }],
  ['a campaign that is a list', { campaign: ['ana-example'] }],
  ['an unknown screen', { screen_class: 'huge' }],
  ['an unknown label', { label: 'side_button' }],
  ['a page that is a script', { $current_url: 'javascript:alert(1)' }],
  ['a referrer that is an object', { referrer: { a: 1 } }],
])('%s does not reach PostHog', (_what, wrong) => {
  const made = complete(browserEvent(undefined, wrong));
  expect(made).toBeDefined();
  for (const value of Object.values(wrong)) {
    const given = typeof value === 'string' ? value : JSON.stringify(value).slice(2, -2);
    expect(JSON.stringify(made)).not.toContain(given);
  }
});

test.each([
  ['', 'direct'],
  ['www.site.example', 'direct'],
  ['www.google.co.uk', 'search'],
  ['mail.google.com', 'other'],
  ['duckduckgo.com', 'search'],
  ['l.facebook.com', 'social'],
  ['com.reddit.frontpage', 'social'],
  ['my.portal.example', 'partner'],
  ['clinic.example:8443', 'other'],
  ['google.com.evil.example', 'other'],
  [undefined, null],
])('a visitor from %j has the referring class %j', (host, expected) => {
  const made = complete(browserEvent(undefined, { referring_domain: host }));
  expect(made?.properties.referring_class).toBe(expected);
});

// PostHog takes `$direct` and hosts for its channels, and every other text for a host that refers.
test.each([
  ['class', '', '$direct', 'direct'],
  ['class', 'www.google.com', null, 'search'],
  ['class', 'clinic.example', null, 'other'],
  ['domain', '', '$direct', 'direct'],
  ['domain', 'www.google.com', 'www.google.com', null],
  ['none', '', null, null],
  ['none', 'www.google.com', null, null],
] as const)(
  'REFERRING_DOMAIN=%s: a visit from %j has the domain %j and the class %j, by both ways',
  (referringDomain, host, domain, kind) => {
    const settings = { referringDomain, partnerHosts: [] };
    const sent = browserEvent(CLICK_ID, { ...FACTS, referring_domain: host });
    const made = complete(sent, { referrer: settings });
    expect(made?.properties).toMatchObject({ $referring_domain: domain, referring_class: kind });
    const referring_domain = keptReferrer(host, PAGE_URL, settings);
    const { referring_domain: _, ...line } = lineOf(sent);
    expect(eventFromLedger({ ...line, referring_domain }, SETTINGS)).toEqual(made);
  },
);

describe('not sent are', () => {
  test('events of robots', () => {
    expect(complete(browserEvent(), { userAgent: ROBOT })).toBeUndefined();
  });

  test('clicks of robots, of visitors who ask for privacy, and on links that this server does not know', () => {
    const line = lineOf(browserEvent());
    expect(eventFromLedger({ ...line, is_bot: true }, SETTINGS)).toBe('robot');
    expect(eventFromLedger({ ...line, private: true }, SETTINGS)).toBe('private');
    expect(eventFromLedger({ ...line, remote_ip: null }, SETTINGS)).toBe('perhaps_private');
    expect(eventFromLedger({ ...line, event: 'side_cta_click' }, SETTINGS)).toBe('unknown_cta');
  });

  test('events that the plan does not have, or that are not complete: the message says what to do', () => {
    const make = (changes: object) => () => complete({ ...browserEvent(), ...changes });
    expect(make({ event: '$autocapture' })).toThrow(
      /not in the tracking plan. Add it to contract\/events.ts/,
    );
    expect(make({ event: 'toString' })).toThrow(/not in the tracking plan/);
    expect(make({ uuid: 'x' })).toThrow(/uuid must be a UUID/);
    expect(make({ timestamp: 'now' })).toThrow(/timestamp must be an ISO 8601 time/);
    expect(make({ properties: {} })).toThrow(/visit_id must be the UUID of version 7/);
  });
});
