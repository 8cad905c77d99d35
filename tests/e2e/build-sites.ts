/**
 * Builds the site as each group of tests needs it, once per run, with the project's own build command.
 *
 * While working on the tests themselves: `E2E_BUILDS=dist/mine npx playwright test …` builds into that folder, and uses
 * what is already there as it is. Remove the folder to build anew.
 */
import { build } from '../helpers/run/build.ts';

/** Names below localhost, because browsers trust them without TLS as they trust the real site with it. */
export const SITE_HOST = 'site.localhost';
export const LOOKUP_HOST = 'lookup.localhost';
/** The pages of the build `elsewhere`, and the API they call: two origins of one server. */
export const PAGES_HOST = 'pages.localhost';
export const API_HOST = 'api.localhost';

/** Settings of each build; `plain` is what a newcomer gets, but for the look-up that no test may reach. */
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
  youtube: { VITE_IP_LOOKUP_URL: '', VITE_YOUTUBE_ID: 'aqz-KE-bpKQ' },
} as const;

export type BuildName = keyof typeof BUILDS;

/** What the server of a build is given as well. */
export function serverSettings(name: BuildName): Record<string, string> {
  const { LOG_IP = '', POSTHOG_SEND_IP = '' }: Record<string, string> = BUILDS[name];
  return { LOG_IP, POSTHOG_SEND_IP };
}

const kept = process.env.E2E_BUILDS;
export const distOf = (name: BuildName): string => `${kept ?? 'node_modules/.cache/e2e'}/${name}`;

/** Playwright's global setup. */
export default async function buildSites(): Promise<void> {
  for (const name of Object.keys(BUILDS) as BuildName[]) await buildSite(name);
}

/** Builds a site. With `E2E_BUILDS`, an earlier build is used, also one that another suite is making at this moment. */
export const buildSite = (name: BuildName): Promise<void> =>
  build(distOf(name), BUILDS[name], { reuse: kept !== undefined });
