/**
 * The sites that tests need, each built once for the present files, with the project's own build
 * command.
 */

import { PORTAL_HOST } from '../fakes/other-servers.ts';
import { build } from './build.ts';
import { PARTNER_LINKS, siteFile } from './site-file.ts';

/** Names below localhost, because browsers trust these without TLS. */
export const SITE_HOST = 'site.localhost';
export const LOOKUP_HOST = 'lookup.localhost';

const COUNTED = {
  posthogKey: 'phc_test',
  ipLookupUrl: `http://${LOOKUP_HOST}/?format=json`,
};

/** The site.json of each build. */
export const BUILDS = {
  /** The defaults, with PostHog and the look-up. Without a portal. */
  tracked: siteFile(COUNTED),
  /**
   * The form, a portal, and each setting that adds words, at lengths that operators write: every
   * page is as long as it can be.
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

/** Playwright's global setup. */
export default async function buildSites(): Promise<void> {
  for (const name of Object.keys(BUILDS) as BuildName[]) await buildSite(name);
}

/**
 * Builds a site if no test has built it from the present files, or waits for a suite that is
 * building it.
 *
 * @returns the folder of the build
 */
export async function buildSite(name: BuildName): Promise<string> {
  const dist = distOf(name);
  await build(dist, BUILDS[name]);
  return dist;
}
