/** A client of PostHog's private API for queries and dashboards. Only commands use it. */
import type { z } from 'zod';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Settings } from '../../settings.ts';
import { MINUTE_MS } from '../../time.ts';
import { askPosthog } from '../post-batch.ts';

/**
 * Sends a request to a path of the project, a POST if there is a body, and returns the answer as
 * the schema parses it.
 *
 * @throws (rejects with) an Error that says what to correct
 */
export type AskPosthog = <T>(path: string, schema: z.ZodType<T>, body?: object) => Promise<T>;

/** Timeout for an answer. A query may wait 30 s in PostHog's queue. */
const TIMEOUT_MS = MINUTE_MS;

/** Opens the API. @throws an Error that names missing settings. No error contains the key */
export function openApi(site: BuiltSite, settings: Settings): AskPosthog {
  const { POSTHOG_PROJECT_ID: project, POSTHOG_PERSONAL_KEY: key } = settings;
  if (project === undefined || key === undefined) throw new Error(NO_PERSONAL_KEY);
  const host = apiHostOf(site);
  return async (path, schema, body) => {
    const url = `${host}/api/projects/${project}/${path}`;
    const asked = askPosthog(url, key, AbortSignal.timeout(TIMEOUT_MS), body);
    const { answer, json } = await asked.catch(() => {
      throw new Error(describeUnreachable(host));
    });
    if (!answer.ok || json === undefined) throw new Error(explainStatus(host, answer.status, json));
    const { data, success } = schema.safeParse(json);
    if (success) return data;
    throw new Error(UNREADABLE_ANSWER);
  };
}

/**
 * Returns the origin of PostHog's API and pages. PostHog's clouds use another host for them than
 * for events.
 */
export const apiHostOf = ({ posthogHost }: BuiltSite): string =>
  posthogHost.replace(/^(https:\/\/(?:us|eu))\.i\.(posthog\.com)$/, '$1.$2');

const UNREADABLE_ANSWER =
  'This site cannot read the answer of PostHog. Check posthogHost in site.json, or update this site.';
const NO_PERSONAL_KEY =
  'Set POSTHOG_PROJECT_ID (the number in the address of your project) and POSTHOG_PERSONAL_KEY (a personal API key, phx_…).';
const describeUnreachable = (host: string) =>
  `PostHog at ${host} cannot be reached, or does not answer within ${TIMEOUT_MS / 1000} s. Check the network, and posthogHost in site.json.`;

/** What an operator should do, by the status of the answer. */
const ADVICE: Record<number, string> = {
  401: 'Set POSTHOG_PERSONAL_KEY to a personal API key (phx_…) of this host.',
  403: 'Give POSTHOG_PERSONAL_KEY this scope, and access to the project of POSTHOG_PROJECT_ID.',
  404: 'Correct POSTHOG_PROJECT_ID.',
};

function explainStatus(host: string, status: number, json: unknown): string {
  const { detail } = Object(json);
  const other = status < 400 ? 'Correct posthogHost in site.json.' : 'Run the command again later.';
  return `PostHog at ${host} answers ${status}${detail ? ` (${detail})` : ''}. ${ADVICE[status] ?? other}`;
}
