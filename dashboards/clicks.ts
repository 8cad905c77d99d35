/** How often the buttons are pressed. Both count uuids, because PostHog may hold an event twice for some hours. */
import type { Insight } from './dashboard.ts';

export const clicksPerDay: Insight = {
  key: 'clicks-per-day',
  name: 'Clicks per day and button',
  description:
    'How often is each call to action pressed, day by day? Days are those of the time zone of the PostHog project.',
  query: {
    kind: 'InsightVizNode',
    source: {
      kind: 'TrendsQuery',
      series: [
        {
          kind: 'EventsNode',
          event: 'cta_click',
          custom_name: 'Clicks',
          math: 'hogql',
          math_hogql: 'uniq(uuid)',
        },
      ],
      interval: 'day',
      trendsFilter: { display: 'ActionsBar' },
      breakdownFilter: { breakdown: 'label', breakdown_type: 'event' },
      dateRange: { date_from: '-30d' },
    },
  },
  place: { x: 0, y: 6, w: 6, h: 5 },
};

export const clicksAsInTheLog: Insight = {
  key: 'clicks-as-in-the-log',
  name: 'Clicks, as the log counts them',
  description:
    'Does PostHog agree with the log? Days in UTC, by button and ref, as `npm run clicks -- report` prints them.',
  query: {
    kind: 'DataVisualizationNode',
    source: {
      kind: 'HogQLQuery',
      name: 'site: clicks as in the log',
      query: `select toDate(toTimeZone(timestamp, 'UTC')) as day, properties.label as button, properties.referrer as ref, uniq(uuid) as clicks
from events
where event = 'cta_click' and {filters}
group by day, button, ref
order by day desc, clicks desc
limit 1000`,
      filters: { dateRange: { date_from: '-30d' } },
    },
    display: 'ActionsTable',
  },
  place: { x: 6, y: 16, w: 6, h: 6 },
};
