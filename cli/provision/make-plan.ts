/** Compares the files with the PostHog project. */
import type { Dashboard } from '#dashboards/dashboard.ts';
import { hashOf } from '../../server/posthog/management/identity.ts';
import { differences } from './differences.ts';
import type { Found, Project } from './read-project.ts';
import { type Wanted, wantedObjects } from './wanted.ts';

/** `changed by hand`: somebody edited it at PostHog since we wrote it last. */
export type State = 'missing' | 'unchanged' | 'outdated' | 'changed by hand';

export interface Step {
  wanted: Wanted;
  state: State;
  /** Null if it is missing. */
  found: Found | null;
  /** The differences, in words. */
  differences: string[];
  /** An insight that is not on the dashboard. */
  toAttach: boolean;
}

export interface Plan {
  dashboard: Dashboard;
  steps: Step[];
  /** Objects of ours that no file names. */
  orphans: Found[];
  /** Ids of all dashboards that exist, also those of other people. */
  dashboards: number[];
}

/** @param now ISO 8601 */
export function makePlan(dashboard: Dashboard, project: Project, now: string): Plan {
  const wanted = wantedObjects(dashboard, now);
  const isSame = (a: Wanted, b: Found) => a.kind === b.kind && a.key === b.identity.key;
  return {
    dashboard,
    steps: wanted.map((it) =>
      makeStep(it, project.found.find((found) => isSame(it, found)) ?? null, project),
    ),
    orphans: project.found.filter((found) => !wanted.some((it) => isSame(it, found))),
    dashboards: project.dashboards,
  };
}

function makeStep(wanted: Wanted, found: Found | null, { tiles }: Project): Step {
  if (!found) return { wanted, found, state: 'missing', differences: [], toAttach: false };
  const step = { wanted, found, ...compare(wanted, found), toAttach: false };
  if (wanted.kind !== 'insight' || tiles?.some(({ insight }) => insight?.id === found.id))
    return step;
  // Without a dashboard, no person can have taken it off.
  if (!tiles) return { ...step, toAttach: true };
  return {
    ...step,
    toAttach: true,
    state: 'changed by hand',
    differences: [...step.differences, 'taken off the dashboard'],
  };
}

/** @returns the state by the hashes in the object's tags */
function compare(wanted: Wanted, found: Found): Pick<Step, 'state' | 'differences'> {
  const { sent, seen } = found.identity;
  const target = hashOf(wanted.managed);
  const current = hashOf(found.managed);
  const untouched = current === sent || current === seen;
  if (untouched && sent === target) return { state: 'unchanged', differences: [] };
  if (current === target) return { state: 'outdated', differences: ['tags'] };
  return {
    state: untouched ? 'outdated' : 'changed by hand',
    differences: differences(found.managed, wanted.managed),
  };
}
