/** The funnel from the page view to the registration, split by where the visit came from. */
import type { TrackingEvent } from '#contract/events.ts';
import type { Insight } from './dashboard.ts';
import type { EventsNode, InsightQuery } from './query.schema.ts';

/** Values with a line of their own. PostHog adds up the rest as "Other". */
const LARGEST = 25;

export const funnelByRef: Insight = {
  key: 'funnel-by-ref',
  name: 'Funnel by ref',
  description:
    'Which ref (the code in ?ref=) brings visits that read, press a button and register? Reading and pressing are optional steps: a visit may skip them.',
  query: funnelBy('referrer'),
  place: { x: 0, y: 0, w: 6, h: 6 },
};

export const funnelByUtmSource: Insight = {
  key: 'funnel-by-utm-source',
  name: 'Funnel by campaign source',
  description:
    'Which utm_source brings visits that read, press a button and register? Visits without the parameter are in "None".',
  query: funnelBy('utm_source'),
  place: { x: 6, y: 0, w: 6, h: 6 },
};

function funnelBy(property: string): InsightQuery {
  return {
    kind: 'InsightVizNode',
    source: {
      kind: 'FunnelsQuery',
      series: [
        step('$pageview', 'Page seen'),
        readStep('how-it-works', 'Read how it works'),
        readStep('benefits', 'Read what you get'),
        // Optional too, because a person can register with the form on the page and never press a button.
        { ...step('cta_click', 'Pressed a button'), optionalInFunnel: true },
        step('registration_succeeded', 'Registered'),
      ],
      funnelsFilter: {
        funnelVizType: 'steps',
        funnelOrderType: 'ordered',
        funnelWindowInterval: 1,
        funnelWindowIntervalUnit: 'day',
        breakdownAttributionType: 'first_touch',
      },
      breakdownFilter: { breakdown: property, breakdown_type: 'event', breakdown_limit: LARGEST },
      dateRange: { date_from: '-30d' },
    },
  };
}

function step(event: TrackingEvent, name: string): EventsNode {
  return { kind: 'EventsNode', event, custom_name: name };
}

/** @param section the anchor of a section of the page */
function readStep(section: string, name: string): EventsNode {
  return {
    ...step('section_viewed', name),
    properties: [{ type: 'event', key: 'section', operator: 'exact', value: [section] }],
    optionalInFunnel: true,
  };
}
