/** The events and properties that an insight names, compared with the tracking plan. */
import { EVENTS, isTrackingEvent, VISIT_PROPERTIES } from '../../contract/events.ts';
import type { EventsNode, InsightQuery } from '../../dashboards/query.schema.ts';
import { namesIn, parseHogql } from './hogql.ts';

/** @returns what the query names and the plan lacks, such as `cta_click.lable` */
export function notInPlan({ source }: InsightQuery): string[] {
  if (source.kind === 'HogQLQuery') {
    const { events, properties } = namesIn(parseHogql(source.query));
    return [
      ...(events.length === 0 ? ['no event'] : []),
      ...events.filter((event) => !isTrackingEvent(event)),
      // One of the events has to have it.
      ...properties.filter((name) => !events.some((event) => has(event, name))),
    ];
  }
  const breakdowns = source.breakdownFilter ? breakdownsOf(source.breakdownFilter) : [];
  return source.series.flatMap((node) => faultsOf(node, breakdowns));
}

type Breakdown =
  | { breakdown: string; breakdown_type: 'event' | 'hogql' }
  | { breakdowns: { property: string }[] };

function breakdownsOf(filter: Breakdown): string[] {
  if ('breakdowns' in filter) return filter.breakdowns.map(({ property }) => property);
  if (filter.breakdown_type === 'event') return [filter.breakdown];
  const { properties } = namesIn(parseHogql(filter.breakdown));
  return properties.length > 0 ? properties : ['(no property)'];
}

function faultsOf({ event, properties = [], math_property }: EventsNode, breakdowns: string[]) {
  if (!isTrackingEvent(event)) return [event];
  const names = [
    ...breakdowns,
    ...properties.map(({ key }) => key),
    ...(math_property ? [math_property] : []),
  ];
  const wrong = properties.flatMap(({ key, value }) =>
    value.filter((it) => !isPossible(event, key, it)).map((it) => `${event}.${key} = ${it}`),
  );
  return [...names.filter((name) => !has(event, name)).map((name) => `${event}.${name}`), ...wrong];
}

const propertiesOf = (event: string) =>
  isTrackingEvent(event) ? { ...VISIT_PROPERTIES, ...EVENTS[event].properties } : {};

const has = (event: string, name: string): boolean => Object.hasOwn(propertiesOf(event), name);

function isPossible(event: string, name: string, value: string): boolean {
  const plan = (propertiesOf(event) as Record<string, { values?: readonly unknown[] }>)[name];
  return plan?.values?.includes(value) ?? true;
}
