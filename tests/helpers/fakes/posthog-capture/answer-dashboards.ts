/** Dashboards and insights of PostHog's management API, on a plan without tags. Lists have no tiles. */
import type { CapturedRequest } from './start-posthog-capture.ts';
import type { World } from './world.ts';

interface Source {
  series: Record<string, unknown>[];
  breakdownFilter: { breakdown: string };
  trendsFilter?: { display: string };
}

export interface Insight {
  id: number;
  name: string;
  description: string;
  query: { kind: string; source: Source };
  dashboards: number[];
}

/** Length of a list, if the request names none. */
const PAGE = 100;

/** @param kind `dashboards` or `insights` @returns status and body; null: PostHog has no such thing */
export function answerDashboards(
  { method, path, body }: CapturedRequest,
  [kind, id]: [kind: string, id: string],
  { dashboards, insights }: World,
): [status: number, json: object] | null {
  if (method === 'POST') {
    const made = { tags: [], ...JSON.parse(body), id: 500 + dashboards.length + insights.length };
    (kind === 'insights' ? insights : dashboards).push(made);
    // PostHog may keep the dashboards of an insight from answers.
    return [201, { ...made, dashboards: undefined }];
  }
  if (id) {
    const found = dashboards.find((one) => one.id === Number(id));
    const own = insights.filter((insight) => insight.dashboards.includes(Number(id)));
    const text = { id: 1, insight: null, text: { body: 'A note of the team' } };
    const tiles = [text, ...own.map((insight) => ({ id: insight.id, insight, text: null }))];
    return found ? [200, { ...found, tiles }] : null;
  }
  const { searchParams } = new URL(path, 'http://posthog');
  const from = Number(searchParams.get('offset'));
  const until = from + Number(searchParams.get('limit') ?? PAGE);
  const next = until < dashboards.length ? `http://another.host/?offset=${until}` : null;
  return [200, { count: dashboards.length, next, results: dashboards.slice(from, until) }];
}
