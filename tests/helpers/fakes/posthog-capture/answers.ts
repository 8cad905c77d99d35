/** Makes the stand-in's answers: as PostHog judges the request, changed by the script. */

import { Refusal } from './check-headers.ts';
import type { StoredEvent } from './event-store.ts';
import { type Judged, judgeV1 } from './judge-v1.ts';
import { type Entry, errorBody, type Step, toEntry } from './script.ts';
import type { CapturedRequest } from './start-posthog-capture.ts';
import type { World } from './world.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  stored: StoredEvent[];
}

const JSON_TYPE = { 'content-type': 'application/json' };

export const notServed = (): Answer => ({ status: 404, headers: {}, body: '', stored: [] });

/** Finds only persons with a profile, as PostHog does. It deletes their events at once, not once a week. */
export function answerDelete(
  { headers, body }: CapturedRequest,
  events: StoredEvent[],
  { persons, personalKey }: World,
): Answer {
  if (headers.authorization !== `Bearer ${personalKey}`) return { ...notServed(), status: 403 };
  const { distinct_ids, delete_events } = JSON.parse(body);
  const found = distinct_ids.filter((id: string) => persons.has(id));
  const left = events.filter(({ distinct_id }) => !delete_events || !found.includes(distinct_id));
  events.splice(0, events.length, ...left);
  const answer = JSON.stringify({ persons_found: found.length });
  return { status: 202, headers: JSON_TYPE, body: answer, stored: [] };
}

export function answerV1(request: CapturedRequest, step: Step, world: World): Answer {
  const requestId = request.headers['posthog-request-id'];
  const answer = judgedV1(request, step, world);
  const scripted = withScript(answer, step, (status, tag) => ({
    headers: { ...JSON_TYPE, ...(status === 408 || status >= 500 ? { 'retry-after': '1' } : {}) },
    body: errorBody(tag),
  }));
  if (requestId) scripted.headers['posthog-request-id'] = String(requestId);
  return scripted;
}

function judgedV1({ method, headers, body }: CapturedRequest, step: Step, world: World): Answer {
  if (method !== 'POST') return { ...notServed(), status: 405 };
  try {
    const judged = judgeV1(headers, body, world).map(unstorable(world)).map(scriptedVerdicts(step));
    const named = judged.filter(({ entry }) => entry !== null);
    const results = named.map(({ event, entry }) => [event.uuid, entry]);
    const isRetry = named.some(({ entry }) => entry?.result === 'retry');
    return {
      status: 200,
      headers: { ...JSON_TYPE, ...(isRetry && { 'retry-after': '1' }) },
      body: JSON.stringify({ results: Object.fromEntries(results) }),
      stored: copies(
        judged.filter(isStored(step)).map(({ event }) => event),
        step,
        1,
      ),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, tag, message } = error;
    return { status, headers: JSON_TYPE, body: errorBody(tag, message), stored: [] };
  }
}

const unstorable =
  (world: World) =>
  (judged: Judged): Judged =>
    world.unstorable.has(judged.event.uuid)
      ? { ...judged, entry: { result: 'retry', details: 'not_persisted' } }
      : judged;

interface Scripted {
  event: StoredEvent;
  entry: Entry | null;
  isTaken: boolean;
}

const scriptedVerdicts =
  ({ verdicts }: Step) =>
  ({ event, entry }: Judged, i: number): Scripted => {
    const verdict = verdicts?.[i];
    const isTaken = entry.result === 'ok';
    if (verdict === null) return { event, entry: null, isTaken };
    return { event, entry: verdict === undefined ? entry : toEntry(verdict), isTaken };
  };

/** With `copies` the script decides. Otherwise an event is stored as its verdict says. */
const isStored =
  (step: Step) =>
  ({ entry, isTaken }: Scripted): boolean =>
    isTaken && (step.copies !== undefined || !entry || !['drop', 'retry'].includes(entry.result));

const copies = (events: StoredEvent[], step: Step, byDefault: number): StoredEvent[] =>
  Array.from({ length: step.copies ?? byDefault }, () => events).flat();

type ErrorParts = (status: number, tag: string) => Pick<Answer, 'headers' | 'body'>;

/** A scripted answer stores nothing, unless the script says so. */
function withScript(answer: Answer, step: Step, errorParts: ErrorParts): Answer {
  const { status, tag, headers, body, copies: wanted } = step;
  const isReplaced = status !== undefined || body !== undefined;
  const parts = status !== undefined && status >= 300 ? errorParts(status, tag ?? '') : answer;
  return {
    status: status ?? answer.status,
    headers: { ...parts.headers, ...headers },
    body: body ?? parts.body,
    stored: isReplaced && wanted === undefined ? [] : answer.stored,
  };
}
