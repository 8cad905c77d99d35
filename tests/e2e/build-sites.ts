/**
 * Builds the site for each group of tests, once per run, with the project's own build command.
 *
 * While working on the tests themselves: `E2E_BUILDS=dist/mine npx playwright test …` builds into that folder, and
 * reuses the builds that are already there. Remove the folder to build again.
 */

import { PORTAL_HOST } from '../helpers/fakes/portal-server.ts';
import { LONG_FACTS, PARTNER_LINKS } from '../helpers/run/all-facts.ts';
import { build } from '../helpers/run/build.ts';
import { siteFile } from '../helpers/run/site-file.ts';

/** Names below localhost, because browsers trust these without TLS. */
export const SITE_HOST = 'site.localhost';
export const LOOKUP_HOST = 'lookup.localhost';

/** Settings of each build. */
export const BUILDS = {
  /** The defaults, with PostHog and the look-up. Without a portal. */
  tracked: {
    VITE_POSTHOG_KEY: 'phc_test',
    VITE_IP_LOOKUP_URL: `http://${LOOKUP_HOST}/?format=json`,
    VITE_STATS_THRESHOLD: '100',
  },
  /** The form, a portal, and each setting that adds words, so that every page is as long as it can be. */
  form: {
    VITE_POSTHOG_KEY: 'phc_test',
    VITE_IP_LOOKUP_URL: `http://${LOOKUP_HOST}/?format=json`,
    VITE_STATS_THRESHOLD: '100',
    VITE_REGISTER_FORM: 'on',
    LOG_IP: 'truncated',
    POSTHOG_HOST: 'https://eu.i.posthog.com',
    POSTHOG_SEND_IP: 'on',
    CLICK_RETENTION_DAYS: '400',
    VITE_PORTAL_HOST: PORTAL_HOST,
    ...siteFile({ ...PARTNER_LINKS, facts: LONG_FACTS }),
  },
} as const;

export type BuildName = keyof typeof BUILDS;

/** Additional settings for the server of a build. */
export function serverSettings(name: BuildName): Record<string, string> {
  const {
    LOG_IP = '',
    POSTHOG_SEND_IP = '',
    CLICK_RETENTION_DAYS = '',
  }: Record<string, string> = BUILDS[name];
  return { LOG_IP, POSTHOG_SEND_IP, CLICK_RETENTION_DAYS };
}

const kept = process.env.E2E_BUILDS;
export const distOf = (name: BuildName): string => `${kept ?? 'node_modules/.cache/e2e'}/${name}`;

/** Playwright's global setup. */
export default async function buildSites(): Promise<void> {
  for (const name of Object.keys(BUILDS) as BuildName[]) await buildSite(name);
}

/** Builds a site. With `E2E_BUILDS`, reuses an earlier build, or waits for one that another suite is making. */
export const buildSite = (name: BuildName): Promise<void> =>
  build(distOf(name), BUILDS[name], { reuse: kept !== undefined });
