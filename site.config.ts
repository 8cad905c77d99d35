/**
 * Reads the settings of the site from site.json, and derives the links from them. Build, pages and
 * browser code have no other settings of the site.
 */
import { CREATE_ACCOUNT_PATH } from '#contract/limits.ts';
import { readSiteFile } from './build/read-site-file.ts';
import type { SiteFile } from './build/site-file.schema.ts';

/** The settings that pages and browser code import as `site` from `virtual:site`. */
export type Site = ReturnType<typeof readSiteConfig>;

/** Path of the settings, relative to the folder of the project, in which all commands run. */
export const SITE_FILE = 'site.json';

/**
 * Reads and checks the settings of a site.
 *
 * @param file path of a site.json. By default the project's own
 * @throws an Error whose message lists all faults of the file
 */
export function readSiteConfig(file = SITE_FILE) {
  const { site, faults } = readSiteFile(file);
  if (site?.portalHost) faults.push(...missingLinks(site));
  if (!site || faults.length > 0) throw settingsError(file, faults);
  return {
    ...site,
    ...partnerLinks(site),
    phoneUrl: `tel:${site.phone.replace(/[^\d+]/g, '')}`,
    // With `logIp: none` the server keeps no address, so that browsers need not look it up.
    ipLookupUrl: site.logIp === 'none' ? null : site.ipLookupUrl,
  };
}

/**
 * Returns a fault for each missing link to the partner's policy or terms. A site with a portal
 * needs both, because the stand-in's would mislead visitors.
 */
const missingLinks = (site: SiteFile): string[] =>
  (['privacyUrl', 'termsUrl'] as const)
    .filter((key) => site[key] === null)
    .map((key) => `${key} must be set, because portalHost is set`);

/**
 * Returns the links to the partner. Without a portal they are paths of the stand-in on this site.
 */
function partnerLinks({ privacyUrl, termsUrl, portalHost, invitationCode }: SiteFile) {
  const page = `${portalHost ? `https://${portalHost}` : ''}${CREATE_ACCOUNT_PATH}`;
  return {
    signUpUrl: `${page}?invitation_code=${invitationCode}`,
    privacyUrl: privacyUrl ?? `${page}?page=privacy`,
    termsUrl: termsUrl ?? `${page}?page=terms`,
  };
}

/** Returns an Error whose stack is its message, so that a stack trace does not bury the message. */
function settingsError(file: string, faults: string[]): Error {
  const list = faults.map((fault) => `\n  ${fault}`).join('');
  const fault = new Error(`The site's settings are not valid.\n${file}:${list}`);
  fault.stack = fault.message;
  return fault;
}
