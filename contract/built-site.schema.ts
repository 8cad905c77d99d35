/**
 * dist/site.json: what the server needs of site.json and of the built pages. The build writes it,
 * so that page and server agree.
 */
import { z } from 'zod';

/** How much of a visitor's address the server logs: all, the network (/24, /48), or nothing. */
export const logIpSchema = z.enum(['full', 'truncated', 'none'], {
  error: 'must be "full", "truncated" or "none"',
});
export type LogIp = z.output<typeof logIpSchema>;

/**
 * How much is kept of the site before this page: its kind (search, social, …), its host name, or
 * nothing.
 */
export const referrerDetailSchema = z.enum(['class', 'domain', 'none'], {
  error: 'must be "class", "domain" or "none"',
});

/** The server counts days in it, and SQL and JavaScript take its name. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

export const builtSiteSchema = z.object({
  /** CSP sources ('sha256-…') of every inline script and style of the built pages. */
  inlineHashes: z.object({ script: z.array(z.string()), style: z.array(z.string()) }),
  /** Origin of the service that the browser asks for its public address; null: no look-up. */
  ipLookupOrigin: z.string().nullable(),
  /** The pages' origin. */
  siteUrl: z.url(),
  /** Host of the partner's portal; null: the server's stand-in answers its links. */
  portalHost: z.string().nullable(),
  /** Host names of the page's links to the partner, for the class of a referrer. */
  partnerHosts: z.array(z.string()),
  /** PostHog's public project key. The proxy takes events for this key alone. Null: no PostHog. */
  posthogKey: z.string().nullable(),
  /** Origin to which the server sends events. */
  posthogHost: z.url(),
  logIp: logIpSchema,
  referrerDetail: referrerDetailSchema,
  /** 0: the server does not delete them by age. */
  clickRetentionDays: z.int(),
  /**
   * Days after which a click lacks addresses, browser and visit id. 0: it has them as long as its
   * row.
   */
  personalDataDays: z.int(),
  registrationRetentionDays: z.int(),
  /** The team's goal; null: none. */
  weeklyClicks: z.int().nullable(),
  /** The team's time zone, by its IANA name. */
  timeZone: z.string(),
  registerForm: z.boolean(),
  /** Legal name of the organization that runs the site. */
  operator: z.string(),
  /** Telephone number as visitors dial it, and its link. */
  phone: z.string(),
  phoneUrl: z.url(),
  /** Keys of site.json that still have the values of the repository's example. */
  exampleKeys: z.array(z.string()),
  /**
   * Names of people and organizations that exist in the example alone, and that the built pages
   * still contain.
   */
  exampleNames: z.array(z.string()),
  /** For the mail after a registration, and for the leaflet. */
  mail: z.object({
    productName: z.string(),
    partnerName: z.string(),
    signUpUrl: z.url(),
    contactEmail: z.email(),
    privacyUrl: z.url(),
  }),
});
export type BuiltSite = z.infer<typeof builtSiteSchema>;
export type InlineHashes = BuiltSite['inlineHashes'];
