/** Where visits come from, how far they read, and on what devices. */
import type { Insight } from './dashboard.ts';

export const visitsBySource: Insight = {
  key: 'visits-by-source',
  name: 'Visits by kind of source',
  description:
    'Do visits come from search, social networks, partners or by direct entry? Each visit counts once.',
  query: {
    kind: 'InsightVizNode',
    source: {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: '$pageview', custom_name: 'Visits', math: 'dau' }],
      interval: 'day',
      trendsFilter: { display: 'ActionsLineGraph' },
      breakdownFilter: {
        // With REFERRING_DOMAIN=domain there are hosts, and older events have the class in $referring_domain.
        breakdown: 'coalesce(properties.referring_class, properties.$referring_domain)',
        breakdown_type: 'hogql',
      },
      dateRange: { date_from: '-30d' },
    },
  },
  place: { x: 6, y: 6, w: 6, h: 5 },
};

export const sectionReach: Insight = {
  key: 'section-reach',
  name: 'How far visits read',
  description:
    'Which share of visits had each section half in view for a second? "whole page" is every visit.',
  query: {
    kind: 'DataVisualizationNode',
    source: {
      kind: 'HogQLQuery',
      name: 'site: section reach',
      query: `select section, visits, round(100 * visits / max(visits) over (), 1) as percent
from (
  select if(event = '$pageview', 'whole page', properties.section) as section, uniq(distinct_id) as visits
  from events
  where event in ('$pageview', 'section_viewed') and {filters}
  group by section
)
order by visits desc
limit 50`,
      filters: { dateRange: { date_from: '-30d' } },
    },
    display: 'ActionsBar',
    chartSettings: {
      xAxis: { column: 'section' },
      yAxis: [{ column: 'percent', settings: { formatting: { suffix: ' %' } } }],
    },
  },
  place: { x: 0, y: 11, w: 6, h: 5 },
};

export const devices: Insight = {
  key: 'devices',
  name: 'Devices and browsers',
  description: 'On which kind of device, and in which browser, do people read the page?',
  query: {
    kind: 'InsightVizNode',
    source: {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: '$pageview', custom_name: 'Visits', math: 'dau' }],
      interval: 'day',
      trendsFilter: { display: 'ActionsBarValue' },
      breakdownFilter: {
        breakdowns: [
          { property: '$device_type', type: 'event' },
          { property: '$browser', type: 'event' },
        ],
        breakdown_limit: 25,
      },
      dateRange: { date_from: '-30d' },
    },
  },
  place: { x: 6, y: 11, w: 6, h: 5 },
};
