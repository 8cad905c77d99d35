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
  /** Id of the text tile; null: missing. */
  textTile: number | null;
  /** Objects of ours that no file names. */
  orphans: Found[];
  /** Ids of all dashboards that exist, also those of other people. */
  dashboards: number[];
}

/** @param now ISO 8601 @throws an Error that names two text tiles with the same first line */
export function makePlan(dashboard: Dashboard, project: Project, now: string): Plan {
  const wanted = wantedObjects(dashboard, now);
  const isSame = (a: Wanted, b: Found) => a.kind === b.kind && a.key === b.identity.key;
  return {
    dashboard,
    steps: wanted.map((it) =>
      makeStep(it, project.found.find((found) => isSame(it, found)) ?? null, project),
    ),
    textTile: findTextTile(dashboard, project),
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

function findTextTile({ text }: Dashboard, { tiles }: Project): number | null {
  const found = (tiles ?? []).filter((tile) => tile.text?.body?.startsWith(text.start));
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(' and ');
    throw new Error(
      `The dashboard has ${found.length} text tiles that begin with "${text.start}": ${ids}. Delete all but one at PostHog.`,
    );
  }
  return found[0]?.id ?? null;
}
