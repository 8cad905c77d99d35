/** PostHog's management API, for commands: its queries, its dashboards, and the deletion of persons. */
import { z } from 'zod';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Settings } from '../settings.ts';
import { parseJson } from './post-batch.ts';

/** Posts a body to a path of the project, or gets the path, and returns the JSON of PostHog's answer. */
export type AskPosthog = (path: string, body?: object) => Promise<unknown>;

/** A query may wait 30 s for its turn. */
const TIMEOUT_MS = 60_000;

/** Follows no redirect, because the key goes to this host alone. Its errors say what to fix, without the key. */
export function openApi(site: BuiltSite, settings: Settings): AskPosthog {
  const { posthogProjectId: project, posthogPersonalKey: key } = settings;
  if (project === null || key === null) throw new Error(NOT_SET);
  const host = apiHostOf(site);
  return async (path, body) => {
    const answer = await fetch(`${host}/api/projects/${project}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
      .then(async (response) => ({ response, json: parseJson(await response.text()) }))
      .catch((cause) => {
        throw new Error(isAway(host), { cause });
      });
    if (answer.response.ok && answer.json !== undefined) return answer.json;
    throw new Error(explain(host, project, answer.response, answer.json));
  };
}

/** PostHog's clouds have another host for the API and the pages than for events. */
export const apiHostOf = ({ posthogHost }: BuiltSite): string =>
  posthogHost.replace(/^(https:\/\/(?:us|eu))\.i\.(posthog\.com)$/, '$1.$2');

/** PostHog's upper bound for one request. */
const AT_ONCE = 1000;
const deletionSchema = z.object({ persons_found: z.int().nonnegative() });

/**
 * Asks PostHog to delete what it has of visitors. It deletes events once a week.
 *
 * @returns the number of persons that PostHog has found: none for events without a person profile, such as ours
 */
export async function deletePersons(
  ask: AskPosthog,
  distinctIds: readonly string[],
): Promise<number> {
  let found = 0;
  for (let n = 0; n < distinctIds.length; n += AT_ONCE) {
    const body = { distinct_ids: distinctIds.slice(n, n + AT_ONCE), delete_events: true };
    const answer = await ask('persons/bulk_delete/', body);
    found += readAnswer(deletionSchema, answer).persons_found;
  }
  return found;
}

export function readAnswer<T>(schema: z.ZodType<T>, answer: unknown): T {
  const { data } = schema.safeParse(answer);
  if (data) return data;
  throw new Error(UNREADABLE);
}

const UNREADABLE =
  'This site cannot read the answer of PostHog. Check posthogHost in site.json, or update this site.';
const NOT_SET =
  'Set POSTHOG_PROJECT_ID (the number in the address of your project) and POSTHOG_PERSONAL_KEY (a personal API key, phx_…).';
const isAway = (host: string) =>
  `PostHog at ${host} cannot be reached, or does not answer within ${TIMEOUT_MS / 1000} s. Check the network, and posthogHost in site.json.`;

function explain(host: string, project: number, { status, headers }: Response, json: unknown) {
  const { detail } = (json ?? {}) as { detail?: unknown };
  const scope = /scope '([\w:]+)'/.exec(String(detail))?.[1];
  if (status === 401)
    return `PostHog at ${host} rejects POSTHOG_PERSONAL_KEY. Set a personal API key (phx_…) of this host.`;
  if (scope) return `POSTHOG_PERSONAL_KEY lacks the scope ${scope}. Add it to the key at PostHog.`;
  if (status === 403)
    return `POSTHOG_PERSONAL_KEY has no access to project ${project}. Give it access at PostHog, or correct POSTHOG_PROJECT_ID.`;
  if (status === 404)
    return `PostHog at ${host} has no project ${project}. Correct POSTHOG_PROJECT_ID.`;
  if (status < 400)
    return `${host} does not answer as PostHog does (${status}). Correct posthogHost in site.json.`;
  const later = headers.get('retry-after');
  return `PostHog at ${host} refuses the request (${status}${detail ? `: ${detail}` : ''}). Run the command again ${later ? `in ${later} s` : 'later'}.`;
}
