/** Finds out before the first change whether the key may make all of them. */
import { z } from 'zod';
import type { Kind } from '../../server/posthog/management/identity.ts';
import type { Management } from '../../server/posthog/management/management-api.ts';
import { ManagementError } from '../../server/posthog/management/management-error.ts';
import { pathOf } from './read-project.ts';

/** No object has this id. */
const NO_ID = 0;

/**
 * Tries to change an object that does not exist: PostHog checks the scope first.
 *
 * @throws ManagementError that names each missing scope
 */
export async function checkScopes(api: Management, kinds: Kind[]): Promise<void> {
  const missing: string[] = [];
  for (const kind of kinds) {
    try {
      await api.change(pathOf(kind, NO_ID), {}, z.unknown());
    } catch (error) {
      if (!(error instanceof ManagementError)) throw error;
      if (error.status === 403) missing.push(error.missingScope ?? `${kind}:write`);
      // "Not found" is what a key with the scope gets. Any other answer proves nothing, and the change itself will tell.
    }
  }
  if (missing.length === 0) return;
  throw new ManagementError(
    `The key in POSTHOG_PERSONAL_KEY lacks ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}.`,
    { status: 403 },
  );
}
