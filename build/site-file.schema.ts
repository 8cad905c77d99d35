/** The zod schema of site.json, the settings of the site. Its messages are for the operator. */
import { z } from 'zod';
import { isTimeZone, logIpSchema, referrerDetailSchema } from '#contract/built-site.schema.ts';
import { MAX_INVITATION_CODE } from '#contract/limits.ts';

/**
 * Returns the error option of a schema: "is missing", or "must" and the rule. The key precedes it.
 */
const must = (rule: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'is missing' : `must ${rule}`),
});

const text = z.string(must('be a text in quotes')).trim().min(1, 'must not be empty');
const httpsUrl = z.url({ protocol: /^https$/, ...must('be an https:// URL') });
/** Returns the schema of a text that passes a check. The message says the rule. */
const textThat = (rule: string, passes: (value: string) => boolean) =>
  z.string(must(rule)).refine(passes, `must ${rule}`);
const textLike = (rule: string, pattern: RegExp) => textThat(rule, (value) => pattern.test(value));
const isOrigin = (value: string) => /^https?:/.test(value) && URL.parse(value)?.origin === value;
const isHost = (value: string) => URL.parse(`https://${value}`)?.host === value.toLowerCase();
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

/**
 * Shortest retention of clicks. Browsers send a click for up to 7 days: if its row were deleted
 * before, the click would be counted twice.
 */
const MIN_RETENTION_DAYS = 9;
const MAX_RETENTION_DAYS = 36_500;
/** Rules of numbers, as the messages say them. */
const CLICK_DAYS_RULE = `be 0, or a whole number from ${MIN_RETENTION_DAYS} to ${MAX_RETENTION_DAYS}, without quotes`;
const DAYS_RULE = `be a whole number from 0 to ${MAX_RETENTION_DAYS}, without quotes`;
const GOAL_RULE = 'be a whole number from 1 on, without quotes, or null';

export const siteFileSchema = z.strictObject(
  {
    /** The site's public origin: for canonical links, share pictures and links in mails. */
    siteUrl: textThat('be an origin like "https://example.org"', isOrigin).default(
      'http://localhost:3000',
    ),
    /** The site's name, as in "Welcome to the …!". It begins with no article. */
    productName: text.refine(
      (name) => !/^the\s/i.test(name),
      'must not begin with "The", because the pages write it',
    ),
    /** Name of the partner, whose platform keeps the medical records and the accounts. */
    partnerName: text,
    /** Host of the partner's portal. Null: calls to action open a stand-in on this site. */
    portalHost: orNull(textThat('be a host name like "portal.example", without https://', isHost)),
    /** URLs of the partner's privacy policy and terms. Null: their links open the stand-in. */
    privacyUrl: orNull(httpsUrl),
    termsUrl: orNull(httpsUrl),
    /** Legal name of the organization that runs the site, and its postal address. */
    operator: text,
    operatorAddress: text,
    /** For visitors and security.txt, and the sender of mails if MAIL_FROM is not set. */
    contactEmail: z.email(must('be an e-mail address')),
    /** The telephone number for visitors, as pages show it. */
    phone: textLike('be a telephone number like +1 555 010 0199', /^\+?[\d ().-]{5,25}$/),
    /** The fixed campaign code in the sign-up link. */
    invitationCode: textLike(
      `be 1 to ${MAX_INVITATION_CODE} letters, digits, - or _`,
      new RegExp(`^[\\w-]{1,${MAX_INVITATION_CODE}}$`),
    ).default('SMADRIVE'),
    /** Whether the page has the registration form. */
    registerForm: z.boolean(must('be true or false')).default(false),
    /** Public project key of PostHog. Null: the site does not use PostHog. */
    posthogKey: orNull(textLike('be a PostHog project key, "phc_…"', /^phc_\w+$/)),
    /** Origin of the PostHog to which the server sends events. */
    posthogHost: z
      .url({ protocol: /^https?$/, ...must('be a URL like "https://eu.i.posthog.com"') })
      .transform((url) => new URL(url).origin)
      .default('https://us.i.posthog.com'),
    /**
     * URL of a public-IP service that answers browsers `{ "ip": … }`. Null: there is no look-up,
     * and clicks have no `ip`.
     */
    ipLookupUrl: z
      .url({ protocol: /^https?$/, ...must('be an http(s) URL, or null') })
      .nullable()
      .default('https://api.ipify.org/?format=json'),
    /** How much of a visitor's IP address the server keeps. */
    logIp: logIpSchema.default('full'),
    /** How much the server keeps of the referring site. */
    referrerDetail: referrerDetailSchema.default('class'),
    /** Days after which the server deletes a click; 0: never. */
    clickRetentionDays: z
      .int(must(CLICK_DAYS_RULE))
      .refine((days) => days === 0 || days >= MIN_RETENTION_DAYS, `must ${CLICK_DAYS_RULE}`)
      .max(MAX_RETENTION_DAYS, `must ${CLICK_DAYS_RULE}`)
      .default(0),
    /** Days after which the server deletes a registration; 0: never. */
    registrationRetentionDays: z
      .int(must(DAYS_RULE))
      .min(0, `must ${DAYS_RULE}`)
      .max(MAX_RETENTION_DAYS, `must ${DAYS_RULE}`)
      .default(0),
    /** Days after which the server empties the personal columns of a click; 0: never. */
    personalDataDays: z
      .int(must(CLICK_DAYS_RULE))
      .refine((days) => days === 0 || days >= MIN_RETENTION_DAYS, `must ${CLICK_DAYS_RULE}`)
      .max(MAX_RETENTION_DAYS, `must ${CLICK_DAYS_RULE}`)
      .default(90),
    /** The team's goal in clicks a week, which the report shows; null: none. */
    weeklyClicks: orNull(z.int(must(GOAL_RULE)).min(1, `must ${GOAL_RULE}`)),
    /** Time zone of the team, in which the report's days begin. */
    timeZone: textThat('be a time zone like "America/Chicago" or "UTC"', isTimeZone).default('UTC'),
  },
  must('be an object: { "productName": "…", … }'),
);

export type SiteFile = z.output<typeof siteFileSchema>;
