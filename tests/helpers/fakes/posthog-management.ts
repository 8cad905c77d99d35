/**
 * PostHog's management API as our commands use it: the ids of the clicks of a period, and
 * dashboards.
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

/** Facts about the stand-in that hold until a test changes them. */
export const newWorld = () => ({
  /** Cuts every connection. */
  isDown: false,
  /** UUIDs of events that PostHog never stores, and asks for again. */
  unstorable: new Set<string>(),
  /** UUIDs of events for which PostHog refuses their whole batch. */
  poisonous: new Set<string>(),
  /** Upper bound for the rows of a query's answer. */
  longestAnswer: 50_000,
  /** Whether an insight can be put on a dashboard when it is made. */
  takesDashboards: true,
  dashboards: [] as { id: number; name: string; description: string }[],
  insights: [] as Insight[],
  events: [] as StoredEvent[],
});
export type World = ReturnType<typeof newWorld>;

type Answer = [status: number, json: object];
const MISSING: Answer = [404, { detail: 'Not found.' }];
const CLICKS =
  /^SELECT DISTINCT toString\(uuid\) AS id FROM events WHERE event = 'cta_click' AND coalesce\(toString\(properties\.is_automated\), ''\) != 'true' AND timestamp >= toDateTime\('([^']+)', 'UTC'\) AND timestamp < toDateTime\('([^']+)', 'UTC'\) AND id > '([\da-f-]*)' ORDER BY id LIMIT (\d+)$/;

/** @returns the answer for project 7 and the key `phx_test` */
export function answerManagement(request: CapturedRequest, world: World): Answer {
  const { method, path, headers, body } = request;
  const { pathname, searchParams } = new URL(path, 'http://posthog');
  const [, kind, id] = /^\/api\/projects\/7\/(\w+)\/(\w*)/.exec(pathname) ?? [];
  if (headers.authorization !== 'Bearer phx_test') return [401, {}];
  if (kind === 'query') return answerQuery(body, world);
  if (kind !== 'dashboards' && kind !== 'insights') return MISSING;
  if (method === 'POST') return make(kind, JSON.parse(body), world);
  return id ? readDashboard(Number(id), world) : listDashboards(searchParams, world);
}

function answerQuery(body: string, { events, longestAnswer }: World): Answer {
  const sql = String(JSON.parse(body).query?.query).replaceAll(/\s+/g, ' ');
  if (sql === 'SELECT 1') return [200, { results: [[1]] }];
  const [, from, to, after = '', limit] = CLICKS.exec(sql) ?? [];
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

/** PostHog may keep the dashboards of an insight from answers, which then have its tiles. */
function make(kind: 'dashboards' | 'insights', given: Partial<Insight>, world: World): Answer {
  const id = 500 + world.dashboards.length + world.insights.length;
  const dashboards = world.takesDashboards ? given.dashboards : [];
  const made = { ...given, dashboards, id };
  world[kind].push(made as never);
  const dashboard_tiles = dashboards?.map((dashboard_id) => ({ id: 1, dashboard_id }));
  return [201, { ...made, dashboards: undefined, dashboard_tiles }];
}

function readDashboard(id: number, { dashboards, insights }: World): Answer {
  const found = dashboards.find((one) => one.id === id);
  const own = insights.filter((insight) => insight.dashboards.includes(id));
  const text = { insight: null, text: { body: 'A note of the team' } };
  return found
    ? [200, { ...found, tiles: [text, ...own.map((insight) => ({ insight }))] }]
    : MISSING;
}

/** Lists have no tiles. */
function listDashboards(asked: URLSearchParams, { dashboards }: World): Answer {
  const from = Number(asked.get('offset'));
  const until = from + Number(asked.get('limit'));
  const next = until < dashboards.length ? `http://another.host/?offset=${until}` : null;
  return [200, { next, results: dashboards.slice(from, until) }];
}
