/**
 * The queries that an insight of ours may contain, as strict schemas. PostHog may store a query with a misspelt key and show the
 * error only on the dashboard. So a key that is not listed here is an error before anything is sent.
 *
 * Each key is one that PostHog knows. `tests/dashboards/query-schema.test.ts` compares them with PostHog's own schema.
 */
import { z } from 'zod';
import { EVENTS, type TrackingEvent } from '#contract/events.ts';

const dateRangeSchema = z.strictObject({
  /** Relative to now, such as -30d. */
  date_from: z.string(),
});

const propertyFilterSchema = z.strictObject({
  type: z.literal('event'),
  key: z.string(),
  operator: z.literal('exact'),
  value: z.array(z.string()),
});

const eventsNodeSchema = z.strictObject({
  kind: z.literal('EventsNode'),
  event: z.enum(Object.keys(EVENTS) as TrackingEvent[]),
  custom_name: z.string(),
  properties: z.array(propertyFilterSchema).optional(),
  /** A visit may skip this step and still reach the next one. */
  optionalInFunnel: z.boolean().optional(),
  math: z.enum(['total', 'dau', 'p75', 'hogql']).optional(),
  math_property: z.string().optional(),
  math_hogql: z.string().optional(),
});

/** Values beyond this number are added up as "Other". */
const breakdown_limit = z.int().optional();

const breakdownSchema = z.strictObject({
  /** A property, or an expression in HogQL. */
  breakdown: z.string(),
  breakdown_type: z.enum(['event', 'hogql']),
  breakdown_limit,
});

/** Funnels take only one. */
const severalBreakdownsSchema = z.strictObject({
  breakdowns: z
    .array(z.strictObject({ property: z.string(), type: z.literal('event') }))
    .min(2)
    .max(3),
  breakdown_limit,
});

const funnelsQuerySchema = z.strictObject({
  kind: z.literal('FunnelsQuery'),
  series: z.array(eventsNodeSchema).min(2),
  funnelsFilter: z.strictObject({
    funnelVizType: z.literal('steps'),
    funnelOrderType: z.literal('ordered'),
    funnelWindowInterval: z.int(),
    funnelWindowIntervalUnit: z.enum(['hour', 'day']),
    breakdownAttributionType: z.literal('first_touch'),
  }),
  breakdownFilter: breakdownSchema,
  dateRange: dateRangeSchema,
});

const trendsQuerySchema = z.strictObject({
  kind: z.literal('TrendsQuery'),
  series: z.array(eventsNodeSchema).min(1),
  interval: z.enum(['day', 'week']),
  trendsFilter: z.strictObject({
    display: z.enum(['ActionsLineGraph', 'ActionsBar', 'ActionsBarValue']),
    showMultipleYAxes: z.boolean().optional(),
  }),
  breakdownFilter: z.union([breakdownSchema, severalBreakdownsSchema]).optional(),
  dateRange: dateRangeSchema,
});

const hogqlQuerySchema = z.strictObject({
  kind: z.literal('HogQLQuery'),
  /** Shown in PostHog's query log. */
  name: z.string(),
  /** Contains `{filters}`, where PostHog puts the date range of the insight or its dashboard. */
  query: z.string(),
  filters: z.strictObject({ dateRange: dateRangeSchema }),
});

const chartAxisSchema = z.strictObject({
  column: z.string(),
  settings: z
    .strictObject({ formatting: z.strictObject({ suffix: z.string() }).optional() })
    .optional(),
});

export const insightQuerySchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('InsightVizNode'),
    source: z.discriminatedUnion('kind', [funnelsQuerySchema, trendsQuerySchema]),
  }),
  z.strictObject({
    kind: z.literal('DataVisualizationNode'),
    source: hogqlQuerySchema,
    display: z.enum(['ActionsTable', 'ActionsBar']),
    chartSettings: z
      .strictObject({ xAxis: chartAxisSchema, yAxis: z.array(chartAxisSchema) })
      .optional(),
  }),
]);

export type InsightQuery = z.infer<typeof insightQuerySchema>;
export type EventsNode = z.infer<typeof eventsNodeSchema>;
