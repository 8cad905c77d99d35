/** PostHog's management API: dashboards, and the one query of ours: the ids of the clicks of a period. */
import { answerDashboards } from './answer-dashboards.ts';
import type { Answer } from './answers.ts';
import { mergeEvents, type StoredEvent } from './event-store.ts';
import type { Step } from './script.ts';
import type { CapturedRequest } from './start-posthog-capture.ts';
import type { World } from './world.ts';

export const MANAGEMENT_PATH =
  /^\/api\/projects\/(\d+)\/(query|dashboards|insights)\/(?:(\d+)\/)?$/;

const CLICKS =
  /^SELECT DISTINCT toString\(uuid\) AS id FROM events WHERE event = 'cta_click' AND timestamp >= toDateTime\('([^']+)', 'UTC'\) AND timestamp < toDateTime\('([^']+)', 'UTC'\) AND id > '([\da-f-]*)' ORDER BY id LIMIT (\d+)$/;

export function answerManagement(
  request: CapturedRequest,
  step: Step,
  world: World,
  events: readonly StoredEvent[],
): Answer {
  // A refused request changes nothing.
  const [status, json] = step.status ? [step.status, {}] : judge(request, world, events);
  return {
    status,
    headers: { 'content-type': 'application/json', ...step.headers },
    body: step.body ?? JSON.stringify(json),
    stored: [],
  };
}

function judge(request: CapturedRequest, world: World, events: readonly StoredEvent[]) {
  const { path, headers, body } = request;
  const fault = (status: number, code: string, detail: string) =>
    [status, { type: 'invalid_request', code, detail, attr: null }] as const;
  if (headers.authorization !== `Bearer ${world.personalKey}`)
    return fault(401, 'authentication_failed', 'Personal API key is invalid.');
  const { pathname } = new URL(path, 'http://posthog');
  const [, project, kind = '', id = ''] = MANAGEMENT_PATH.exec(pathname) ?? [];
  const missing = fault(404, 'not_found', 'Not found.');
  if (project !== String(world.projectId)) return missing;
  if (kind !== 'query') return answerDashboards(request, [kind, id], world) ?? missing;
  const { query, name, refresh } = JSON.parse(body);
  const sql = String(query?.query).replaceAll(/\s+/g, ' ');
  if (sql === 'SELECT 1') return [200, { results: [[1]] }] as const;
  const [, from, to, after = '', limit] = CLICKS.exec(sql) ?? [];
  if (query?.kind !== 'HogQLQuery' || !from || !to || !name || refresh !== 'force_blocking')
    return fault(400, 'invalid_input', 'Unknown query.');
  const at = (time: string) => Date.parse(`${time.replace(' ', 'T')}Z`);
  const ids = mergeEvents(events)
    .filter(({ event, timestamp }) => {
      const ms = Date.parse(timestamp);
      return event === 'cta_click' && ms >= at(from) && ms < at(to);
    })
    .map(({ uuid }) => uuid)
    .filter((uuid) => uuid > after)
    .sort();
  const rows = ids.slice(0, Math.min(Number(limit), world.longestAnswer));
  const answer = {
    results: rows.map((id) => [id]),
    columns: ['id'],
    hasMore: rows.length < ids.length,
  };
  return [200, answer] as const;
}
