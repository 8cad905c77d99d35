/**
 * The format of dist/site.json: the settings of site.json and the facts about the built pages that
 * the server needs. The build writes the file, so that pages and server agree.
 */
import { z } from 'zod';

/**
 * How much of a visitor's address the server logs: the whole address, its network (/24 or /48), or
 * nothing.
 */
export const logIpSchema = z.enum(['full', 'truncated', 'none'], {
  error: 'must be "full", "truncated" or "none"',
});
export type LogIp = z.output<typeof logIpSchema>;

/**
 * How much the server keeps about the referring site: its class (search, social, …), its domain
 * too, or nothing.
 */
export const referrerDetailSchema = z.enum(['class', 'domain', 'none'], {
  error: 'must be "class", "domain" or "none"',
});

/**
 * Whether a time zone exists. JavaScript must know its name, and it must begin with a letter,
 * because SQL uses it too.
 */
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
  /**
   * Origin of the service that tells the browser its public address; null: the browser does not
   * ask.
   */
  ipLookupOrigin: z.string().nullable(),
  /** Origin of the pages. */
  siteUrl: z.url(),
  /**
   * Host of the partner's portal; null: there is no portal yet, and links to it open this server's
   * stand-in.
   */
  portalHost: z.string().nullable(),
  /**
   * Hosts of the partner to which the pages link. A visitor from one of them has the class
   * `partner`.
   */
  partnerHosts: z.array(z.string()),
  /**
   * PostHog's public project key, with which the server sends events; null: there is no PostHog.
   */
  posthogKey: z.string().nullable(),
  /** Origin of PostHog, to which the server sends events. */
  posthogHost: z.url(),
  logIp: logIpSchema,
  referrerDetail: referrerDetailSchema,
  /** Days after which clicks and visits are deleted. 0: never. */
  clickRetentionDays: z.int(),
  /**
   * Days after which a click's addresses, browser and visit id are emptied. 0: they stay as long as
   * the row.
   */
  personalDataDays: z.int(),
  /** Days after which registrations are deleted. 0: never. */
  registrationRetentionDays: z.int(),
  /** The team's goal of clicks a week; null: there is none. */
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
   * Names of people and organizations that exist only in the example's pages, and that the built
   * pages still contain.
   */
  exampleNames: z.array(z.string()),
  /** Facts for the mail after a registration, and for the leaflet. */
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
