/**
 * A fake of PostHog's management API, as the commands use it: queries of clicks, and dashboards.
 */
import type { CapturedRequest, StoredEvent } from './posthog-capture.ts';

interface Insight {
  name: string;
  query: {
    source: {
      series: Record<string, unknown>[];
      breakdownFilter?: { breakdown: string };
      properties: object[];
      trendsFilter?: { display: string };
    };
  };
  dashboards: number[];
}

/** Creates the state of a fake PostHog. Tests change it. */
export const newWorld = () => ({
  /** Cuts every connection. */
  isDown: false,
  /** UUIDs of events that PostHog does not store, and answers with `retry`. */
  unstorable: new Set<string>(),
  /** UUIDs of events that make PostHog reject their whole batch. */
  poisonous: new Set<string>(),
  /** Most rows of the answer to a query. */
  longestAnswer: 50_000,
  /** Whether the request that creates an insight can put it on a dashboard. */
  takesDashboards: true,
  dashboards: [] as { id: number; name: string; description: string }[],
  insights: [] as Insight[],
  events: [] as StoredEvent[],
});
export type World = ReturnType<typeof newWorld>;

type Answer = [status: number, json: object];
const MISSING: Answer = [404, { detail: 'Not found.' }];
/** Matches the query of `site posthog check` for the ids of clicks. */
const CLICKS_QUERY =
  /^SELECT DISTINCT toString\(uuid\) AS id FROM events WHERE event = 'cta_click' AND coalesce\(toString\(properties\.is_automated\), ''\) != 'true' AND timestamp >= toDateTime\('([^']+)', 'UTC'\) AND timestamp < toDateTime\('([^']+)', 'UTC'\) AND id > '([\da-f-]*)' ORDER BY id LIMIT (\d+)$/;

/** Answers a request for project 7 with the key `phx_test`. */
export function answerManagement(request: CapturedRequest, world: World): Answer {
  const { method, path, headers, body } = request;
  const { pathname, searchParams } = new URL(path, 'http://posthog');
  const [, kind, id] = /^\/api\/projects\/7\/(\w+)\/(\w*)/.exec(pathname) ?? [];
  if (headers.authorization !== 'Bearer phx_test') return [401, {}];
  if (kind === 'query') return answerQuery(body, world);
  if (kind !== 'dashboards' && kind !== 'insights') return MISSING;
  if (method === 'POST') return create(kind, JSON.parse(body), world);
  return id ? readDashboard(Number(id), world) : listDashboards(searchParams, world);
}

function answerQuery(body: string, { events, longestAnswer }: World): Answer {
  const sql = String(JSON.parse(body).query?.query).replaceAll(/\s+/g, ' ');
  if (sql === 'SELECT 1') return [200, { results: [[1]] }];
  const [, from, to, after = '', limit] = CLICKS_QUERY.exec(sql) ?? [];
  if (!from || !to) return [400, { detail: 'Unknown query.' }];
  const at = (time: string) => Date.parse(`${time.replace(' ', 'T')}Z`);
  const isAsked = ({ uuid, event, timestamp, properties }: StoredEvent) => {
    const ms = Date.parse(timestamp);
    const isPerson = properties.is_automated !== true;
    return event === 'cta_click' && isPerson && ms >= at(from) && ms < at(to) && uuid > after;
  };
  const ids = [...new Set(events.filter(isAsked).map(({ uuid }) => uuid))].sort();
  const rows = ids.slice(0, Math.min(Number(limit), longestAnswer));
  return [200, { results: rows.map((id) => [id]), hasMore: rows.length < ids.length }];
}

/**
 * Creates a dashboard or an insight. The answer has `dashboard_tiles` in place of `dashboards`,
 * because PostHog may leave the latter out.
 */
function create(kind: 'dashboards' | 'insights', body: Partial<Insight>, world: World): Answer {
  const id = 500 + world.dashboards.length + world.insights.length;
  const dashboards = world.takesDashboards ? body.dashboards : [];
  const created = { ...body, dashboards, id };
  world[kind].push(created as never);
  const dashboard_tiles = dashboards?.map((dashboard_id) => ({ id: 1, dashboard_id }));
  return [201, { ...created, dashboards: undefined, dashboard_tiles }];
}

function readDashboard(id: number, { dashboards, insights }: World): Answer {
  const found = dashboards.find((one) => one.id === id);
  const ownInsights = insights.filter((insight) => insight.dashboards.includes(id));
  const text = { insight: null, text: { body: 'A note of the team' } };
  return found
    ? [200, { ...found, tiles: [text, ...ownInsights.map((insight) => ({ insight }))] }]
    : MISSING;
}

/** Answers one page of the list of dashboards. They have no tiles there. */
function listDashboards(query: URLSearchParams, { dashboards }: World): Answer {
  const from = Number(query.get('offset'));
  const until = from + Number(query.get('limit'));
  const next = until < dashboards.length ? `http://another.host/?offset=${until}` : null;
  return [200, { next, results: dashboards.slice(from, until) }];
}
