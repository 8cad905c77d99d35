/** `npm run posthog:provision`: brings the dashboards of `dashboards/` to PostHog. */
import { parseArgs } from 'node:util';
import { GROWTH } from '#dashboards/growth.ts';
import { readConfig } from '../server/config.ts';
import { managementAccess } from '../server/posthog/management/management-access.ts';
import { openManagement } from '../server/posthog/management/management-api.ts';
import { applyPlan } from './provision/apply-plan.ts';
import { makePlan } from './provision/make-plan.ts';
import { describePlan } from './provision/print-plan.ts';
import { prune } from './provision/prune.ts';
import { readProject } from './provision/read-project.ts';
import { reportChanges } from './provision/report-changes.ts';
import { print, runProgram } from './run-program.ts';
import { UsageError } from './usage-error.ts';

const HELP = `Usage: npm run posthog:provision -- <command> [--force]

  plan              shows what \`apply\` would do; changes nothing
  apply [--force]   makes and changes the dashboard, its insights and annotations at PostHog.
                    Names, places and other people's tiles stay. A change by hand stays, unless you give --force
  prune             removes what an earlier version of the files made and the present one does not name

Set POSTHOG_PROJECT_ID, POSTHOG_PERSONAL_KEY and, unless POSTHOG_HOST is PostHog's cloud, POSTHOG_APP_HOST. The key needs
the scopes dashboard, insight and annotation, each :read and :write. docs/growth.md has the steps.
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  force: { type: 'boolean' },
} as const;

await runProgram(HELP, async () => {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [command, ...rest] = positionals;
  if (values.help || command === 'help') return print(HELP);
  if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}"`);
  if (!command) throw new UsageError('Name a command');
  if (!['plan', 'apply', 'prune'].includes(command)) {
    throw new UsageError(`There is no command "${command}"`);
  }
  if (values.force && command !== 'apply') throw new UsageError('--force belongs to apply');
  const api = openManagement(managementAccess(readConfig(process.env)));
  const now = new Date().toISOString();
  const plan = makePlan(GROWTH, await readProject(api, GROWTH.key), now);
  print(describePlan(plan, api.access));
  if (command === 'apply') {
    await reportChanges(print, (onDone) =>
      applyPlan(api, plan, { force: values.force ?? false, onDone }),
    );
  } else if (command === 'prune') {
    await reportChanges(print, (onDone) => prune(api, plan, onDone));
  }
});
