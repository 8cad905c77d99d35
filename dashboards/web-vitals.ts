/** How fast the page is for its visitors, at the 75th percentile, as web.dev defines it. */
import type { Insight } from './dashboard.ts';

export const webVitals: Insight = {
  key: 'web-vitals',
  name: 'Speed for visitors (75th percentile)',
  description:
    'Is the page fast enough? Good is LCP below 2,500 ms, INP below 200 ms and CLS below 0.1 for three quarters of the visits.',
  query: {
    kind: 'DataVisualizationNode',
    source: {
      kind: 'HogQLQuery',
      name: 'site: web vitals at p75',
      query: `select properties.name as vital, properties.$device_type as device, round(quantile(0.75)(toFloat(properties.value)), 3) as p75, round(100 * countIf(properties.rating = 'good') / count()) as percent_good, uniq(uuid) as measurements
from events
where event = 'web_vital' and {filters}
group by vital, device
order by vital, device
limit 50`,
      filters: { dateRange: { date_from: '-30d' } },
    },
    display: 'ActionsTable',
  },
  place: { x: 0, y: 16, w: 6, h: 6 },
};

export const webVitalsPerWeek: Insight = {
  key: 'web-vitals-per-week',
  name: 'Speed per week',
  description:
    'Did a change make the page slower? LCP and INP in milliseconds, CLS on its own axis.',
  query: {
    kind: 'InsightVizNode',
    source: {
      kind: 'TrendsQuery',
      series: [vital('LCP'), vital('INP'), vital('CLS')],
      interval: 'week',
      trendsFilter: { display: 'ActionsLineGraph', showMultipleYAxes: true },
      dateRange: { date_from: '-90d' },
    },
  },
  place: { x: 0, y: 22, w: 12, h: 5 },
};

function vital(name: 'LCP' | 'INP' | 'CLS') {
  return {
    kind: 'EventsNode' as const,
    event: 'web_vital' as const,
    custom_name: name,
    properties: [
      { type: 'event' as const, key: 'name', operator: 'exact' as const, value: [name] },
    ],
    math: 'p75' as const,
    math_property: 'value',
  };
}
