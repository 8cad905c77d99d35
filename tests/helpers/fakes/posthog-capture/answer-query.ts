/** The query API of PostHog's management API, for the one query of ours: the ids of the clicks of a period. */
import type { Answer } from './answers.ts';
import { mergeEvents, type StoredEvent } from './event-store.ts';
import type { Step } from './script.ts';
import type { CapturedRequest } from './start-posthog-capture.ts';
import type { World } from './world.ts';

export const QUERY_PATH = /^\/api\/projects\/(\d+)\/query\/$/;

const CLICKS =
  /^SELECT DISTINCT toString\(uuid\) AS id FROM events WHERE event = 'cta_click' AND timestamp >= toDateTime\('([^']+)', 'UTC'\) AND timestamp < toDateTime\('([^']+)', 'UTC'\) AND id > '([\da-f-]*)' ORDER BY id LIMIT (\d+)$/;

export function answerQuery(
  request: CapturedRequest,
  step: Step,
  world: World,
  events: readonly StoredEvent[],
): Answer {
  const [status, json] = judge(request, world, events);
  return {
    status: step.status ?? status,
    headers: { 'content-type': 'application/json', ...step.headers },
    body: step.body ?? JSON.stringify(json),
    stored: [],
  };
}

function judge(
  { path, headers, body }: CapturedRequest,
  world: World,
  events: readonly StoredEvent[],
) {
  const fault = (status: number, code: string, detail: string) =>
    [status, { type: 'invalid_request', code, detail, attr: null }] as const;
  if (headers.authorization !== `Bearer ${world.personalKey}`)
    return fault(401, 'authentication_failed', 'Personal API key is invalid.');
  if (QUERY_PATH.exec(path)?.[1] !== String(world.projectId))
    return fault(404, 'not_found', 'Not found.');
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
