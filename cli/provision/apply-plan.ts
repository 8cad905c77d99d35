/** Carries out a plan: makes and changes objects, and places new tiles. */
import { hashOf } from '../../server/posthog/management/identity.ts';
import type { Management } from '../../server/posthog/management/management-api.ts';
import { changeBody, creationBody } from './bodies.ts';
import { checkScopes } from './check-scopes.ts';
import type { Plan, Step } from './make-plan.ts';
import { placeTiles } from './place-tiles.ts';
import { type Found, foundSchemas, listFound, pathOf } from './read-project.ts';
import type { Wanted } from './wanted.ts';

/** Called after each change. */
export type OnDone = (what: string) => void;

/** @param force also overwrites what was changed by hand @throws ManagementError; what was done before has been reported */
export async function applyPlan(
  api: Management,
  plan: Plan,
  { force, onDone }: { force: boolean; onDone: OnDone },
): Promise<void> {
  const todo = plan.steps.filter((step) => needsWork(step, force));
  const kinds = new Set(todo.map(({ wanted }) => wanted.kind));
  if (kinds.has('insight')) kinds.add('dashboard');
  if (todo.length === 0) return;
  checkBodies(todo);
  await checkScopes(api, [...kinds]);
  const dashboard = await ensureDashboard(api, plan, todo, onDone);
  const placed: { id: number; key: string }[] = [];
  for (const step of todo.filter(({ wanted }) => wanted.kind !== 'dashboard')) {
    const { id } = await carryOut(api, step, boardsOf(step, plan, dashboard.id), onDone);
    if (!step.found || step.toAttach) placed.push({ id, key: step.wanted.key });
  }
  await placeTiles(api, plan.dashboard, dashboard.id, placed);
}

/** Checks all bodies before the first request. @throws ZodError that names the misspelt key */
function checkBodies(steps: Step[]): void {
  for (const { wanted } of steps) creationBody(wanted, { key: wanted.key, sent: '', seen: '' }, []);
}

function needsWork({ state, toAttach }: Step, force: boolean): boolean {
  if (state === 'changed by hand') return force;
  return state !== 'unchanged' || toAttach;
}

/** @returns the dashboard, which everything else is put on */
async function ensureDashboard(api: Management, plan: Plan, todo: Step[], onDone: OnDone) {
  const step = plan.steps.find(({ wanted }) => wanted.kind === 'dashboard');
  if (!step) throw new Error('The plan has no dashboard');
  if (todo.includes(step) || !step.found) return carryOut(api, step, [], onDone);
  return step.found;
}

/** @returns the dashboards of an insight: ours and its others, because PostHog replaces the whole list */
function boardsOf({ found }: Step, plan: Plan, ours: number): number[] {
  const others = found?.dashboards.filter((id) => id !== ours && plan.dashboards.includes(id));
  return [ours, ...(others ?? [])];
}

async function carryOut(
  api: Management,
  step: Step,
  dashboards: number[],
  onDone: OnDone,
): Promise<Found> {
  const { wanted, found } = step;
  const object = found
    ? await change(api, step, found, dashboards)
    : await make(api, wanted, dashboards);
  await rememberAnswer(api, object);
  onDone(`${found ? 'changed' : 'made'} ${wanted.kind} "${object.name}"`);
  return object;
}

async function make(api: Management, wanted: Wanted, dashboards: number[]): Promise<Found> {
  const { kind, key } = wanted;
  const identity = { key, sent: hashOf(wanted.managed), seen: null };
  const made = await api.createOnce(pathOf(kind), {
    body: creationBody(wanted, identity, dashboards),
    schema: foundSchemas[kind],
    find: async () => {
      const all = await listFound(api, kind);
      return all.find((it) => it.identity.key === key) ?? null;
    },
  });
  return withIdentity(made, wanted);
}

async function change(
  api: Management,
  { wanted, toAttach }: Step,
  found: Found,
  dashboards: number[],
): Promise<Found> {
  const identity = { key: wanted.key, sent: hashOf(wanted.managed), seen: null };
  const body = changeBody(found, wanted.managed, identity, toAttach ? dashboards : undefined);
  const changed = await api.change(pathOf(found.kind, found.id), body, foundSchemas[found.kind]);
  return withIdentity(changed, wanted);
}

/** If PostHog stored something else than we sent, such as defaults, its hash is kept too. Otherwise it would look like a change by hand. */
async function rememberAnswer(api: Management, found: Found): Promise<void> {
  const seen = hashOf(found.managed);
  if (seen === found.identity.sent) return;
  const body = changeBody(found, found.kind === 'annotation' ? found.managed : {}, {
    ...found.identity,
    seen,
  });
  await api.change(pathOf(found.kind, found.id), body, foundSchemas[found.kind]);
}

function withIdentity(answer: Found | null, { kind, key }: Wanted): Found {
  if (answer) return answer;
  throw new Error(
    `PostHog did not keep the tags of the ${kind} "${key}", so it cannot be found again.`,
  );
}
