/** Asks PostHog to delete what it has of some visitors. */
import { z } from 'zod';
import type { Management } from './management-api.ts';

/** Upper bound of PostHog for one request. */
const AT_ONCE = 1000;

const answerSchema = z.object({
  persons_found: z.int().nonnegative(),
  events_queued_for_deletion: z.boolean(),
});

/**
 * Deletes persons with their events. PostHog queues the deletion of events, and runs it once a week.
 *
 * @param distinctIds for us, ids of visits, and of clicks without a visit
 * @returns the number of persons that PostHog found. It finds none for events without a person profile
 * @throws (rejects with) a ManagementError, for example if the key lacks the scope `person:write`
 */
export async function deletePersons(
  api: Management,
  distinctIds: readonly string[],
): Promise<number> {
  let found = 0;
  for (let n = 0; n < distinctIds.length; n += AT_ONCE) {
    const body = { distinct_ids: distinctIds.slice(n, n + AT_ONCE), delete_events: true };
    const answer = await api.ask('persons/bulk_delete/', body, answerSchema);
    found += answer.persons_found;
  }
  return found;
}
