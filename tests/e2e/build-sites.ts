/**
 * Builds the site for each group of tests, once per run, with the project's own build command.
 *
 * While working on the tests themselves: `E2E_BUILDS=dist/mine npx playwright test …` builds into that folder, and
 * reuses the builds that are already there. Remove the folder to build again.
 */

import { LONG_FACTS } from '../helpers/run/all-facts.ts';
import { build } from '../helpers/run/build.ts';
import { siteFile } from '../helpers/run/site-file.ts';

/** Names below localhost, because browsers trust these without TLS. */
export const SITE_HOST = 'site.localhost';
export const LOOKUP_HOST = 'lookup.localhost';
/** The pages of the build `elsewhere`, and the API they call: two origins of one server. */
export const PAGES_HOST = 'pages.localhost';
export const API_HOST = 'api.localhost';

/** Settings of each build; `plain` has the defaults, except for the look-up, which no test may reach. */
export const BUILDS = {
  plain: { VITE_IP_LOOKUP_URL: '' },
  tracked: {
    VITE_POSTHOG_KEY: 'phc_test',
    VITE_IP_LOOKUP_URL: `http://${LOOKUP_HOST}/?format=json`,
    VITE_STATS_THRESHOLD: '100',
  },
  form: {
    VITE_IP_LOOKUP_URL: '',
    VITE_REGISTER_FORM: 'on',
    VITE_POSTHOG_KEY: 'phc_test',
    LOG_IP: 'truncated',
    POSTHOG_HOST: 'https://eu.i.posthog.com',
    POSTHOG_SEND_IP: 'on',
  },
  elsewhere: {
    VITE_IP_LOOKUP_URL: '',
    VITE_POSTHOG_KEY: 'phc_test',
    VITE_STATS_THRESHOLD: '100',
    VITE_API_ORIGIN: `http://${API_HOST}`,
  },
  youtube: { VITE_IP_LOOKUP_URL: '', ...siteFile({ youtubeId: 'aqz-KE-bpKQ' }) },
  /** Each setting that adds words to the help pages, so that these are as long as they can be. */
  full: {
    VITE_IP_LOOKUP_URL: `http://${LOOKUP_HOST}/?format=json`,
    VITE_REGISTER_FORM: 'on',
    VITE_POSTHOG_KEY: 'phc_test',
    LOG_IP: 'truncated',
    POSTHOG_HOST: 'https://eu.i.posthog.com',
    POSTHOG_SEND_IP: 'on',
    CLICK_RETENTION_DAYS: '400',
    ...siteFile({ youtubeId: 'aqz-KE-bpKQ', facts: LONG_FACTS }),
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
