/**
 * The settings of the site: site.json, with the links that follow from it. Pages and the server
 * have no others.
 */
import { CREATE_ACCOUNT_PATH } from '#contract/limits.ts';
import { readSiteFile } from './build/read-site-file.ts';
import type { SiteFile } from './build/site-file.schema.ts';

/** The configuration that pages and browser code read as `site`. */
export type Site = ReturnType<typeof readSiteConfig>;

/** The file of the settings, in the folder in which commands run. */
export const SITE_FILE = 'site.json';

/**
 * Reads the site's settings.
 *
 * @param file tests read others than the project's own
 * @throws one Error that lists every fault
 */
export function readSiteConfig(file = SITE_FILE) {
  const { site, faults } = readSiteFile(file);
  if (site?.portalHost) faults.push(...missingLinks(site));
  if (!site || faults.length > 0) throw faultOf(file, faults);
  return {
    ...site,
    ...partnerLinks(site),
    phoneUrl: `tel:${site.phone.replace(/[^\d+]/g, '')}`,
    // The browser does not ask for an address that the server would not keep.
    ipLookupUrl: site.logIp === 'none' ? null : site.ipLookupUrl,
  };
}

/**
 * A partner with a portal has a policy and terms, and a stand-in for them would mislead visitors.
 */
const missingLinks = (site: SiteFile): string[] =>
  (['privacyUrl', 'termsUrl'] as const)
    .filter((key) => site[key] === null)
    .map((key) => `${key} must be set, because portalHost is set`);

/** The links to the partner. Without a portal they open the stand-in on our own server. */
function partnerLinks({ privacyUrl, termsUrl, portalHost, invitationCode }: SiteFile) {
  const page = `${portalHost ? `https://${portalHost}` : ''}${CREATE_ACCOUNT_PATH}`;
  return {
    signUpUrl: `${page}?invitation_code=${invitationCode}`,
    privacyUrl: privacyUrl ?? `${page}?page=privacy`,
    termsUrl: termsUrl ?? `${page}?page=terms`,
  };
}

/** An operator reads it at the end of a build's log, where a stack would hide it. */
function faultOf(file: string, faults: string[]): Error {
  const list = faults.map((fault) => `\n  ${fault}`).join('');
  const fault = new Error(`The site's settings are not valid.\n${file}:${list}`);
  fault.stack = fault.message;
  return fault;
}
