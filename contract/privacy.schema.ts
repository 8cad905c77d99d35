/**
 * Settings for the visitor data that the server records and passes on. The build reads the same variables, because the page
 * states them.
 */
import { z } from 'zod';

/** How much of a visitor's address the server logs: all, the network (/24, /48), or nothing. */
const logIpSchema = z.enum(['full', 'truncated', 'none'], {
  error: 'must be full, truncated or none',
});
export type LogIp = z.output<typeof logIpSchema>;

/** How much is kept of the site before this page: its kind (search, social, …), its host name, or nothing. */
const referringDomainSchema = z.enum(['class', 'domain', 'none'], {
  error: 'must be class, domain or none',
});
export type ReferringDomainSetting = z.output<typeof referringDomainSchema>;

const RETENTION_ERROR = 'must be a whole number from 0 to 36500';

/** The variables, for the schemas of the build and of the server. */
export const PRIVACY_VARIABLES = {
  LOG_IP: logIpSchema.default('full'),
  /** Origin to which the server passes events on. */
  POSTHOG_HOST: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) URL, like https://eu.i.posthog.com' })
    .transform((url) => new URL(url).origin)
    .default('https://us.i.posthog.com'),
  /** Whether PostHog gets the visitor's address, as LOG_IP allows it. */
  POSTHOG_SEND_IP: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .transform((value) => value === 'on')
    .default(false),
  REFERRING_DOMAIN: referringDomainSchema.default('class'),
  /** Days after which the server deletes ledger files; 0: never. */
  CLICK_RETENTION_DAYS: z
    .string()
    .regex(/^\d+$/, RETENTION_ERROR)
    .transform(Number)
    .pipe(z.int(RETENTION_ERROR).max(36_500, RETENTION_ERROR))
    .default(0),
};

/** The page's statements, in dist/site.json. The server does not start if it would do more. */
export const privacySchema = z.object({
  logIp: logIpSchema,
  /** null: the page has no PostHog. */
  posthogHost: z.string().nullable(),
  posthogSendIp: z.boolean(),
  referringDomain: referringDomainSchema,
  /** 0: the page names no end. */
  clickRetentionDays: z.int().default(0),
});
export type Privacy = z.infer<typeof privacySchema>;
