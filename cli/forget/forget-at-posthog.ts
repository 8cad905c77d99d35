/** Tells PostHog to delete a visitor's events, or says what the operator must do. */
import { existsSync } from 'node:fs';
import type { Config } from '../../server/config.ts';
import { deletePersons } from '../../server/posthog/management/delete-persons.ts';
import { managementAccess } from '../../server/posthog/management/management-access.ts';
import { openManagement } from '../../server/posthog/management/management-api.ts';
import { openReceipts } from '../../server/posthog/receipts/open-receipts.ts';
import type { ReceiptStore } from '../../server/posthog/receipts/receipt-store.ts';
import { warn } from '../warn.ts';

type Settings = Pick<Config, 'databaseUrl' | 'files' | 'posthogApp'>;

/** @returns null if this site has no PostHog yet: makes no file */
export async function openReceiptsIfAny(
  settings: Pick<Settings, 'databaseUrl' | 'files'>,
): Promise<ReceiptStore | null> {
  const hasPosthog = settings.databaseUrl !== null || existsSync(settings.files.receipts);
  return hasPosthog ? openReceipts(settings, warn) : null;
}

/**
 * @param distinctIds PostHog's names of the visitor
 * @returns a sentence about what is left to do; null: nothing
 */
export async function forgetAtPosthog(
  settings: Settings,
  distinctIds: readonly string[],
  print: (text: string) => void,
): Promise<string | null> {
  if (distinctIds.length === 0) return null;
  if (settings.databaseUrl === null && !existsSync(settings.files.receipts)) {
    print('PostHog was never sent anything from here.\n');
    return null;
  }
  if (settings.posthogApp.key === null) return byHand(NO_KEY, distinctIds);
  try {
    const found = await deletePersons(openManagement(managementAccess(settings)), distinctIds);
    print(
      `PostHog was asked to delete ${distinctIds.length} visits; it deletes events once a week.\n`,
    );
    // The site sends its events without person profiles, and PostHog finds only persons.
    return found < distinctIds.length ? byHand(notFound(found), distinctIds) : null;
  } catch (cause) {
    return byHand(`PostHog was not told. ${(cause as Error).message}`, distinctIds);
  }
}

const NO_KEY =
  'PostHog was not told, because POSTHOG_PERSONAL_KEY (scope person:write) and POSTHOG_PROJECT_ID are not set.';

const notFound = (found: number) =>
  `PostHog found a person for ${found} of them. It keeps the events of the others, which have no person profile.`;

const byHand = (reason: string, distinctIds: readonly string[]) =>
  `${reason} Ask PostHog's support to delete the events with these values of distinct_id, and look there whether they are gone:\n` +
  `${distinctIds.map((id) => `  ${id}`).join('\n')}`;
