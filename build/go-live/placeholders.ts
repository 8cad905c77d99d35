/** The settings that still have the values of the repository, which name a product and a partner that do not exist. */
import type { SiteConfig } from '#site.config.ts';

/** Names that no one can own (RFC 2606), and this machine. */
const PLACEHOLDER = /(?:^|\.)(?:example|example\.(?:com|net|org)|invalid|localhost|test)$/i;

/** @param host a host name, with or without a port */
export const isPlaceholderHost = (host: string): boolean =>
  PLACEHOLDER.test(host.replace(/:\d+$/, ''));

/** Not read from site.json and site.config.ts, because an operator may change them there. */
const SETTINGS: [name: string, setting: keyof SiteConfig, value: string][] = [
  ['VITE_SITE_URL', 'siteUrl', 'http://localhost:3000'],
  ['VITE_PORTAL_HOST', 'portalHost', 'portal.example'],
  ['VITE_INVITATION_CODE', 'invitationCode', 'SMADRIVE'],
  ['productName', 'productName', 'SMA Data Drive'],
  ['partnerName', 'partnerName', 'Wayfield Health'],
  ['privacyUrl', 'privacyUrl', 'https://portal.example/privacy'],
  ['termsUrl', 'termsUrl', 'https://portal.example/terms'],
  ['contactEmail', 'contactEmail', 'hello@portal.example'],
];

/** Returns the variables as `NAME=value`, and the keys of site.json as `name: value`. */
export const placeholders = (site: SiteConfig): string[] =>
  SETTINGS.filter(([, setting, value]) => site[setting] === value).map(([name, setting, value]) =>
    name === setting ? `${name}: ${value}` : `${name}=${value}`,
  );
