/** The keys of site.json: all that the page says and does, and what privacy depends on. */
import { z } from 'zod';
import { isTimeZone, logIpSchema, referrerDetailSchema } from '#contract/built-site.schema.ts';
import { MAX_INVITATION_CODE } from '#contract/limits.ts';

/** The message of a fault, as it stands after the key. */
const must = (rule: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'is missing' : `must ${rule}`),
});

const text = z.string(must('be a text in quotes')).trim().min(1, 'must not be empty');
const httpsUrl = z.url({ protocol: /^https$/, ...must('be an https:// URL') });
/** A text that passes the check; the fault says the rule. */
const textThat = (rule: string, passes: (value: string) => boolean) =>
  z.string(must(rule)).refine(passes, `must ${rule}`);
const textLike = (rule: string, pattern: RegExp) => textThat(rule, (value) => pattern.test(value));
const isOrigin = (value: string) => /^https?:/.test(value) && URL.parse(value)?.origin === value;
const isHost = (value: string) => URL.parse(`https://${value}`)?.host === value.toLowerCase();
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

/** Browsers keep a click for 7 days. A row that is deleted earlier could be counted twice. */
const LEAST_RETENTION_DAYS = 9;
const MOST_RETENTION_DAYS = 36_500;
const RETENTION = `be 0, or a whole number from ${LEAST_RETENTION_DAYS} to ${MOST_RETENTION_DAYS}, without quotes`;
const DAYS = `be a whole number from 0 to ${MOST_RETENTION_DAYS}, without quotes`;
const GOAL = 'be a whole number from 1 on, without quotes, or null';

export const siteFileSchema = z.strictObject(
  {
    /** Where visitors open the page: for the canonical link, share pictures and links in mails. */
    siteUrl: textThat('be an origin like "https://example.org"', isOrigin).default(
      'http://localhost:3000',
    ),
    /** Stands after "Welcome to the …!", in the title and in the footer. */
    productName: text.refine(
      (name) => !/^the\s/i.test(name),
      'must not begin with "The", because the pages write it',
    ),
    /** The platform that keeps the records and the accounts. */
    partnerName: text,
    /**
     * Host of the partner's portal, where an account is created. Null: the links open the server's
     * stand-in.
     */
    portalHost: orNull(textThat('be a host name like "portal.example", without https://', isHost)),
    /**
     * The partner's privacy policy and terms. Null, without a portal: the links open the server's
     * stand-in.
     */
    privacyUrl: orNull(httpsUrl),
    termsUrl: orNull(httpsUrl),
    /** Legal name of the organization that runs the site, and its postal address. */
    operator: text,
    operatorAddress: text,
    /** For visitors, for security.txt, and as the sender of mails where MAIL_FROM is not set. */
    contactEmail: z.email(must('be an e-mail address')),
    /** For calls, as visitors dial it. */
    phone: textLike('be a telephone number like +1 555 010 0199', /^\+?[\d ().-]{5,25}$/),
    /** The fixed campaign code in the sign-up link. */
    invitationCode: textLike(
      `be 1 to ${MAX_INVITATION_CODE} letters, digits, - or _`,
      new RegExp(`^[\\w-]{1,${MAX_INVITATION_CODE}}$`),
    ).default('SMADRIVE'),
    /** Whether the page has the registration form. */
    registerForm: z.boolean(must('be true or false')).default(false),
    /** Public project key of PostHog; null: no PostHog. */
    posthogKey: orNull(textLike('be a PostHog project key, "phc_…"', /^phc_\w+$/)),
    /** Origin to which the server sends events. */
    posthogHost: z
      .url({ protocol: /^https?$/, ...must('be a URL like "https://eu.i.posthog.com"') })
      .transform((url) => new URL(url).origin)
      .default('https://us.i.posthog.com'),
    /** Answers `{ "ip": … }` to a GET of the browser; null: no look-up, and a click has no `ip`. */
    ipLookupUrl: z
      .url({ protocol: /^https?$/, ...must('be an http(s) URL, or null') })
      .nullable()
      .default('https://api.ipify.org/?format=json'),
    /** How much of a visitor's address the server keeps. */
    logIp: logIpSchema.default('full'),
    /** How much the server keeps of the site from which a visitor came. */
    referrerDetail: referrerDetailSchema.default('class'),
    /** Days after which the server deletes clicks, and registrations; 0: never. */
    clickRetentionDays: z
      .int(must(RETENTION))
      .refine((days) => days === 0 || days >= LEAST_RETENTION_DAYS, `must ${RETENTION}`)
      .max(MOST_RETENTION_DAYS, `must ${RETENTION}`)
      .default(0),
    registrationRetentionDays: z
      .int(must(DAYS))
      .min(0, `must ${DAYS}`)
      .max(MOST_RETENTION_DAYS, `must ${DAYS}`)
      .default(0),
    /** Days after which the server empties what leads to a person in a click; 0: never. */
    personalDataDays: z
      .int(must(RETENTION))
      .refine((days) => days === 0 || days >= LEAST_RETENTION_DAYS, `must ${RETENTION}`)
      .max(MOST_RETENTION_DAYS, `must ${RETENTION}`)
      .default(90),
    /** The team's goal, a figure and a line of the report; null: none. */
    weeklyClicks: orNull(z.int(must(GOAL)).min(1, `must ${GOAL}`)),
    /** The team's, for the days of the report. */
    timeZone: textThat('be a time zone like "America/Chicago" or "UTC"', isTimeZone).default('UTC'),
  },
  must('be an object: { "productName": "…", … }'),
);

export type SiteFile = z.output<typeof siteFileSchema>;
