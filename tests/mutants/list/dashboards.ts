/** The promise: the dashboard at PostHog is made once, keeps what the team changes, and takes no fault for a result. */
import type { Mutant } from '../try-mutants.ts';

const PROVISION = 'tests/cli/provision/provision.test.ts';
const FAILURES = 'tests/cli/provision/provision-failures.test.ts';
const FIGURES = 'tests/server/posthog/dashboard/figures.test.ts';
const UPKEEP = 'tests/server/posthog/dashboard/dashboard-upkeep.test.ts';

export const DASHBOARDS: readonly Mutant[] = [
  {
    name: 'a POST whose answer was lost is sent again without a look',
    file: 'server/posthog/management/management-api.ts',
    find: 'if (!inDoubt) continue;',
    replace: 'continue;',
    tests: [FAILURES],
  },
  {
    name: 'a login page with status 200 is an empty project',
    file: 'server/posthog/management/answer.ts',
    find: 'status >= 200 && status < 300 && json !== undefined;',
    replace: 'status >= 200 && status < 300;',
    tests: [FAILURES],
  },
  {
    name: 'the command sleeps for an hour if PostHog asks for it',
    file: 'server/posthog/management/management-api.ts',
    find: 'const LONGEST_RETRY_AFTER_MS = 60_000;',
    replace: 'const LONGEST_RETRY_AFTER_MS = 60_000_000;',
    tests: ['tests/server/posthog/management/management-api.test.ts'],
  },
  {
    name: 'only the first page of a list is read',
    file: 'server/posthog/management/management-api.ts',
    find: 'next = answer.next ? pathOf(answer.next) : null;',
    replace: 'next = null;',
    tests: [PROVISION],
  },
  {
    name: 'apply overwrites what was changed by hand',
    file: 'cli/provision/apply-plan.ts',
    find: "if (state === 'changed by hand') return force;",
    replace: "if (state === 'changed by hand') return true;",
    tests: [PROVISION],
  },
  {
    name: 'defaults that PostHog adds look like a change by hand',
    file: 'cli/provision/make-plan.ts',
    find: 'const untouched = current === sent || current === seen;',
    replace: 'const untouched = current === sent;',
    tests: [PROVISION],
  },
  {
    name: 'apply removes the tags of other people',
    file: 'server/posthog/management/identity.ts',
    find: 'return [...ourTags(kind, identity), ...theirs];',
    replace: 'return [...ourTags(kind, identity)];',
    tests: [PROVISION],
  },
  {
    name: 'a pruned dashboard takes its insights with it',
    file: 'cli/provision/bodies.ts',
    find: "kind === 'dashboard'\n    ? removeDashboardSchema",
    replace: "kind !== 'dashboard'\n    ? removeDashboardSchema",
    tests: [PROVISION],
  },
  {
    name: 'changes begin before the scopes are checked',
    file: 'cli/provision/apply-plan.ts',
    find: '  await checkScopes(api, [...kinds]);\n',
    replace: '',
    tests: [FAILURES],
  },
  {
    name: 'each restart writes the completeness tile',
    file: 'server/posthog/dashboard/refresh-tile.ts',
    find: "if (written !== null && now() - written < STILL_FRESH_MS) return 'fresh';",
    replace: '',
    tests: [UPKEEP],
  },
  {
    name: 'the tile counts clicks that PostHog cannot show yet',
    file: 'server/posthog/dashboard/read-figures.ts',
    find: 'const SETTLED_MS = 15 * MINUTE_MS;',
    replace: 'const SETTLED_MS = -MINUTE_MS;',
    tests: [FIGURES],
  },
  {
    name: 'a packed copy of a ledger file counts again',
    file: 'server/posthog/dashboard/count-clicks.ts',
    find: 'for (const file of withoutCopies(ledgerFiles(ledger))) {',
    replace: 'for (const file of ledgerFiles(ledger)) {',
    tests: [FIGURES],
  },
  {
    name: 'a click that PostHog confirmed and does not count is not reported',
    file: 'server/posthog/dashboard/read-figures.ts',
    find: 'Math.max(0, confirmed - own)',
    replace: '0',
    tests: [FIGURES],
  },
  {
    name: 'two servers mark the same outage',
    file: 'server/posthog/dashboard/mark-on-charts.ts',
    find: 'if (await find()) return;',
    replace: '',
    tests: [UPKEEP],
  },
];
