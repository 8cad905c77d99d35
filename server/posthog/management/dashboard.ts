/** Creates PostHog's dashboard (`site posthog dashboard`): six tiles about the last 30 days. */
import { z } from 'zod';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { TrackingEvent, TrackingPlan } from '#contract/events.ts';
import type { VisitProperties } from '../visit-properties.ts';
import type { AskPosthog } from './api.ts';

type OwnProperty = { [event in TrackingEvent]: keyof TrackingPlan[event] }[TrackingEvent];
type Property = keyof VisitProperties | OwnProperty;

/**
 * Marks the dashboard as made by this command. Never change a description: the command finds its
 * dashboard and tiles by them, because not every plan of PostHog has tags.
 */
const DESCRIPTION = 'Made by the command "site posthog dashboard".';

/** Makes the tiles that this site's settings need. */
function makeTiles({ registerForm, referrerDetail }: BuiltSite) {
  const steps = [
    { ...makeSeries('$pageview'), custom_name: 'Saw the page' },
    { ...makeSeries('section_viewed'), custom_name: 'Read a section', optionalInFunnel: true },
    { ...makeSeries('cta_click'), custom_name: 'Pressed a button', optionalInFunnel: registerForm },
    ...(registerForm
      ? [{ ...makeSeries('registration_succeeded'), custom_name: 'Registered' }]
      : []),
  ];
  // By name if names are kept, because they are more precise than classes.
  const source = referrerDetail === 'domain' ? '$referring_domain' : 'referring_class';
  return [
    {
      name: 'From visit to click, by ref',
      description: 'Which links bring visits that press a button? Reading is optional.',
      query: makeFunnel(steps, 'ref_key'),
    },
    {
      name: 'From visit to click, by utm_source',
      description: 'Which campaigns bring visits that press a button? Reading is optional.',
      query: makeFunnel(steps, 'utm_source'),
    },
    {
      name: 'Clicks by day',
      description: 'How many clicks does each button get?',
      // Distinct uuids, because PostHog may have an event twice for some hours.
      query: makeTrend('ActionsBar', makeSeries('cta_click', 'uniq(uuid)'), 'label'),
    },
    {
      name: 'Visits by source',
      description: 'From which sites do visitors come?',
      query: makeTrend('ActionsLineGraph', makeSeries('$pageview', `uniq(${VISIT_ID})`), source),
    },
    {
      name: 'Conversion by ref',
      description: 'How many of 100 visits press a button? A ref with fewer than 30 visits has 0.',
      query: makeTrend('ActionsBarValue', makeSeries(null, CONVERSION), 'ref_key'),
    },
    {
      name: 'Speed for visitors',
      description: 'On how many of 100 visits is each web vital good? 75 are enough.',
      query: makeTrends(
        'ActionsBarValue',
        Object.entries(WORST_GOOD_VALUES).map(makeGoodVisitsSeries),
      ),
    },
  ];
}

const VISIT_ID = 'properties.visit_id';
/** HogQL: the number of visits with an event. */
const countVisitsWith = (event: TrackingEvent): string => `uniqIf(${VISIT_ID}, event = '${event}')`;
/**
 * HogQL: of 100 visits, how many press a button. It is one series, because PostHog would choose the
 * shown refs of two series separately.
 */
const CONVERSION = `if(${countVisitsWith('$pageview')} < 30, 0, 100 * ${countVisitsWith('cta_click')} / ${countVisitsWith('$pageview')})`;
/**
 * Upper bound for a good value of each web vital: web.dev/articles/vitals. LCP and INP are in
 * milliseconds.
 */
const WORST_GOOD_VALUES = { LCP: 2500, INP: 200, CLS: 0.1 };

/** Makes a series: of 100 visits that measured a web vital, how many had a good value. */
function makeGoodVisitsSeries([vital, worst]: [string, number]) {
  const value = `properties.$web_vitals_${vital}_value`;
  const measured = `uniqIf(${VISIT_ID}, ${value} IS NOT NULL)`;
  const good = `uniqIf(${VISIT_ID}, toFloat(${value}) <= ${worst})`;
  const share = `100 * ${good} / greatest(1, ${measured})`;
  return { ...makeSeries('$web_vitals', share), custom_name: vital };
}

/**
 * Makes a series of a tile.
 *
 * @param event null: all events
 * @param math an aggregation in HogQL; absent: the number of events
 */
const makeSeries = (event: TrackingEvent | null, math?: string) =>
  Object.assign({ kind: 'EventsNode', event }, math && { math: 'hogql', math_hogql: math });

const makeFunnel = (series: object[], breakdown: Property) => {
  const window = { funnelWindowInterval: 1, funnelWindowIntervalUnit: 'day' };
  const funnelsFilter = { ...window, funnelVizType: 'steps', funnelOrderType: 'ordered' };
  return makeInsight({ kind: 'FunnelsQuery', series, funnelsFilter }, breakdown);
};

const makeTrend = (display: string, series: object, breakdown: Property) =>
  makeTrends(display, [series], breakdown);

const makeTrends = (display: string, series: object[], breakdown?: Property) =>
  makeInsight({ kind: 'TrendsQuery', series, trendsFilter: { display } }, breakdown);

const makeInsight = (source: object, breakdown?: Property) => {
  // The row "other" is hidden, because PostHog would add up the rates of the remaining refs in it.
  const limits = { breakdown_limit: 25, breakdown_hide_other_aggregation: true };
  const breakdownFilter = breakdown && { breakdown, breakdown_type: 'event', ...limits };
  const dateRange = { date_from: '-30d' };
  const properties = [WITHOUT_AUTOMATED];
  return { kind: 'InsightVizNode', source: { ...source, breakdownFilter, dateRange, properties } };
};

/**
 * A filter that excludes automated browsers, as the report does. An event without the property
 * passes.
 */
const WITHOUT_AUTOMATED = {
  type: 'event',
  key: 'is_automated' satisfies Property,
  operator: 'is_not',
  value: ['true'],
};

const describedSchema = z.object({ description: z.string().nullish() });
const dashboardSchema = describedSchema.extend({
  id: z.int(),
  /** Absent in PostHog's list of dashboards. */
  tiles: z.array(z.object({ insight: describedSchema.nullish() })).nullish(),
});
const listSchema = z.object({ results: z.array(dashboardSchema) });

/**
 * Finds the dashboard, or creates an empty one.
 *
 * @returns its id, and the tiles that are missing. After an interrupted run, some exist
 */
export async function openDashboard(ask: AskPosthog, site: BuiltSite) {
  const { results } = await ask('dashboards/?limit=1000', listSchema);
  const found = results.find(({ description }) => description?.includes(DESCRIPTION));
  const made = { name: `${site.mail.productName}: visits and clicks`, description: DESCRIPTION };
  const { id, tiles } = await (found
    ? ask(`dashboards/${found.id}/`, dashboardSchema)
    : ask('dashboards/', dashboardSchema, made));
  const lacking = makeTiles(site).filter(
    (tile) => !tiles?.some(({ insight }) => insight?.description?.includes(tile.description)),
  );
  return { id, lacking };
}
