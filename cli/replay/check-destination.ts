/** Checks that the page tells visitors which PostHog gets their clicks. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBuiltSite } from '../../server/built-site.ts';
import { isThisMachine } from '../../server/check-privacy.ts';

/**
 * Refuses a PostHog that the built page does not name. Without a build, as next to a copy of a ledger, there is no check.
 *
 * @param host origin of PostHog
 * @throws an Error that says what to build
 */
export function checkDestination(distDir: string, host: string): void {
  if (isThisMachine(host) || !existsSync(join(distDir, 'site.json'))) return;
  if (readBuiltSite(distDir).privacy.posthogHost === host) return;
  throw new Error(
    `The page does not tell visitors that PostHog at ${host} gets their clicks. Build it with VITE_POSTHOG_KEY and POSTHOG_HOST=${host} first.`,
  );
}
