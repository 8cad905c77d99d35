/** Runs `npm run posthog:provision` as an operator does, against the fake of PostHog's API. */
import { onTestFinished } from 'vitest';
import { applyPlan } from '../../../cli/provision/apply-plan.ts';
import { makePlan } from '../../../cli/provision/make-plan.ts';
import { readProject } from '../../../cli/provision/read-project.ts';
import { GROWTH } from '../../../dashboards/growth.ts';
import { openManagement } from '../../../server/posthog/management/management-api.ts';
import {
  KEY,
  type PosthogApi,
  PROJECT,
  startPosthogApi,
} from '../../helpers/fakes/posthog-api/posthog-api.ts';
import { runCli } from '../../helpers/server/run-cli.ts';

export async function startProject() {
  const posthog = await startPosthogApi();
  onTestFinished(posthog.close);
  return {
    posthog,
    /** The client that the command has. */
    api: openManagement({ host: posthog.url, projectId: PROJECT, key: KEY }),
    provision: (args: string[], env: Record<string, string> = {}) =>
      runCli('provision.ts', args, {
        POSTHOG_APP_HOST: posthog.url,
        POSTHOG_PROJECT_ID: String(PROJECT),
        POSTHOG_PERSONAL_KEY: KEY,
        ...env,
      }),
  };
}

/** A project with the dashboard, made without a process of its own. Its requests so far are forgotten. */
export async function startProvisioned() {
  const project = await startProject();
  const { posthog, api } = project;
  const plan = makePlan(GROWTH, await readProject(api, GROWTH.key), new Date().toISOString());
  await applyPlan(api, plan, { force: false, onDone: () => {} });
  posthog.requests.length = 0;
  return project;
}

/** @returns an insight of the fake by its key */
export function insightOf({ store }: PosthogApi, key: string) {
  const found = store.insights.find(
    ({ tags, deleted }) => !deleted && (tags as string[]).includes(`site:insight:${key}`),
  );
  if (!found) throw new Error(`No insight ${key}`);
  return found as typeof found & { query: { source: Record<string, unknown> }; tags: string[] };
}
