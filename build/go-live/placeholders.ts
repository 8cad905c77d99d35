/** The settings that still have the values of the repository, which name a product and a partner that do not exist. */
import { readSiteConfig, type SiteConfig } from '#site.config.ts';

/** Names that no one can own (RFC 2606), and this machine. */
const PLACEHOLDER = /(?:^|\.)(?:example|example\.(?:com|net|org)|invalid|localhost|test)$/i;

/** @param host a host name, with or without a port */
export const isPlaceholderHost = (host: string): boolean =>
  PLACEHOLDER.test(host.replace(/:\d+$/, ''));

const SETTINGS: [variable: string, read: (site: SiteConfig) => string | null][] = [
  ['VITE_SITE_URL', ({ siteUrl }) => siteUrl],
  ['VITE_PRODUCT_NAME', ({ productName }) => productName],
  ['VITE_PARTNER_NAME', ({ partnerName }) => partnerName],
  ['VITE_PORTAL_HOST', ({ portalHost }) => portalHost],
  ['VITE_INVITATION_CODE', ({ invitationCode }) => invitationCode],
  ['VITE_PRIVACY_URL', ({ privacyUrl }) => privacyUrl],
  ['VITE_TERMS_URL', ({ termsUrl }) => termsUrl],
  ['VITE_CONTACT_EMAIL', ({ contactEmail }) => contactEmail],
];

/** Returns the variables with a value of the repository, as `NAME=value`. */
export function placeholders(site: SiteConfig): string[] {
  const defaults = readSiteConfig({});
  return SETTINGS.filter(([, read]) => read(site) === read(defaults)).map(
    ([variable, read]) => `${variable}=${read(site)}`,
  );
}
