/** Asks PostHog to delete what it has of visitors. It deletes events once a week. */
import { z } from 'zod';
import { type AskPosthog, UNREADABLE } from './api.ts';

/** PostHog's upper bound for one request. */
const AT_ONCE = 1000;
const answerSchema = z.object({ persons_found: z.int().nonnegative() });

/**
 * @returns the number of persons that PostHog has found: none for events without a person profile, such as ours
 * @throws (rejects with) an Error that says what to fix
 */
export async function deletePersons(
  ask: AskPosthog,
  distinctIds: readonly string[],
): Promise<number> {
  let found = 0;
  for (let n = 0; n < distinctIds.length; n += AT_ONCE) {
    const body = { distinct_ids: distinctIds.slice(n, n + AT_ONCE), delete_events: true };
    const { data } = answerSchema.safeParse(await ask('persons/bulk_delete/', body));
    if (!data) throw new Error(UNREADABLE);
    found += data.persons_found;
  }
  return found;
}
