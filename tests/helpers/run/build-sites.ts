/** Builds the sites that browser tests need, with the project's own command. */

import { PORTAL_HOST } from '../fakes/other-servers.ts';
import { build } from './build.ts';
import { PARTNER_LINKS, siteFile } from './site-file.ts';

/** Hosts of the fakes. Browsers treat names below localhost as secure contexts without TLS. */
export const SITE_HOST = 'site.localhost';
export const LOOKUP_HOST = 'lookup.localhost';

const COUNTED = {
  posthogKey: 'phc_test',
  ipLookupUrl: `http://${LOOKUP_HOST}/?format=json`,
};

/** Path of the site.json of each build. */
export const BUILDS = {
  /** The default settings, with PostHog and the IP look-up, and without a portal. */
  tracked: siteFile(COUNTED),
  /**
   * The registration form, a portal, and all settings that add text, with long values: every page
   * is as long as an operator can make it.
   */
  form: siteFile({
    ...COUNTED,
    ...PARTNER_LINKS,
    operator: 'The Road Forward Foundation for Neuromuscular Research, Inc.',
    operatorAddress: '1200 North Lakeshore Avenue, Suite 450, Springfield, IL 62701, USA',
    phone: '+1 (555) 010-0199',
    portalHost: PORTAL_HOST,
    registerForm: true,
    posthogHost: 'https://eu.i.posthog.com',
    logIp: 'truncated',
    clickRetentionDays: 400,
  }),
} as const;

export type BuildName = keyof typeof BUILDS;

export const distOf = (name: BuildName): string => `node_modules/.cache/sites/${name}`;

/** Builds all sites. Playwright calls it as its global setup. */
export default async function buildSites(): Promise<void> {
  for (const name of Object.keys(BUILDS) as BuildName[]) await buildSite(name);
}

/**
 * Builds a site, unless its folder has a build of the present files. Waits if another process is
 * building.
 *
 * @returns the folder of the build
 */
export async function buildSite(name: BuildName): Promise<string> {
  const dist = distOf(name);
  await build(dist, BUILDS[name]);
  return dist;
}
