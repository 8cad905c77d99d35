import { describe, expect, test } from 'vitest';
import { GROWTH } from '../../dashboards/growth.ts';
import type { InsightQuery } from '../../dashboards/query.schema.ts';
import { notInPlan } from './names-used.ts';

const { insights } = GROWTH;

test.each(insights)('$key names only events and properties of the tracking plan', ({ query }) => {
  expect(notInPlan(query)).toEqual([]);
});

describe('a name that the plan lacks is found', () => {
  const queryOf = (key: string) =>
    insights.find((insight) => insight.key === key)?.query as InsightQuery;

  test.each([
    ['funnel-by-ref', 'cta_click', 'cta_clicked', ['cta_clicked']],
    ['funnel-by-ref', '"registration_succeeded"', '"registered"', ['registered']],
    ['clicks-per-day', '"label"', '"lable"', ['cta_click.lable']],
    ['web-vitals-per-week', 'y":"value"', 'y":"val"', Array(3).fill('web_vital.val')],
    ['web-vitals-per-week', '["LCP"]', '["lcp"]', ['web_vital.name = lcp']],
    ['devices', '$browser', '$brwser', ['$pageview.$brwser']],
    ['section-reach', 'section_viewed', 'section_seen', ['section_seen', 'section']],
    ['web-vitals', 'properties.rating', 'properties.score', ['score']],
  ])('in %s, with %s written as %s', (key, right, wrong, found) => {
    const text = JSON.stringify(queryOf(key));
    expect(text).toContain(right);
    expect(notInPlan(JSON.parse(text.replaceAll(right, wrong)))).toEqual(found);
  });
});
