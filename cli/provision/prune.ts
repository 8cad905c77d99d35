/** Removes objects of ours that no file names any more. */
import { z } from 'zod';
import type { Management } from '../../server/posthog/management/management-api.ts';
import type { OnDone } from './apply-plan.ts';
import { removalBody } from './bodies.ts';
import { checkScopes } from './check-scopes.ts';
import type { Plan } from './make-plan.ts';
import { pathOf } from './read-project.ts';

/** @throws ManagementError; what was done before has been reported */
export async function prune(api: Management, { orphans }: Plan, onDone: OnDone): Promise<void> {
  if (orphans.length === 0) return;
  await checkScopes(api, [...new Set(orphans.map(({ kind }) => kind))]);
  for (const { kind, id, name } of orphans) {
    await api.change(pathOf(kind, id), removalBody(kind), z.unknown());
    onDone(`removed ${kind} "${name}" (${id})`);
  }
}
