import { expect, test } from 'vitest';
import { isTrackingEvent } from '#contract/events.ts';
import { listQuery } from '../../../../server/posthog/reconcile/clicks-at-posthog.ts';
import { namesIn, parseHogql } from '../../../dashboards/hogql.ts';

const PERIOD = { from: Date.parse('2026-11-16'), to: Date.parse('2026-11-22T14:05Z') };
const UUID = '019c1234-5678-7abc-8def-aaaaaaaaaaaa';

test.each([
  ['reconcile', listQuery(PERIOD, null, 20_000)],
  ['a further page of reconcile', listQuery(PERIOD, [UUID, PERIOD.from, 1], 20_000)],
])('the query of %s is HogQL, about an event of the plan', (_name, query) => {
  expect(query).toContain("timestamp < toDateTime('2026-11-22 14:05:00', 'UTC')");
  const { events } = namesIn(parseHogql(query));
  expect(events.filter(isTrackingEvent)).toEqual(['cta_click']);
});
