/**
 * The public facts of the site, baked into the page when it is built.
 *
 * Change a default here, or set the variable named beside it when building. Everything is checked at once:
 * a build with a wrong value stops and names every fault.
 */
import { z } from 'zod';
import { PRIVACY_VARIABLES } from '#contract/privacy.schema.ts';

const text = z.string().trim().min(1, 'must not be empty');
const httpsUrl = z.url({ protocol: /^https$/, error: 'must be an https:// URL' });
const origin = z
  .url({ protocol: /^https?$/, error: 'must be an origin like https://example.org' })
  .refine((value) => new URL(value).origin === value, 'must be an origin like https://example.org');
const onOff = z
  .enum(['on', 'off'], { error: 'must be "on" or "off"' })
  .transform((value) => value === 'on');
/** An empty variable switches the thing off. */
const orOff = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable());

const schema = z.object({
  /** Stands after "Welcome to the …!", in the title and in the footer. */
  VITE_PRODUCT_NAME: text.default('SMA Data Drive'),
  /** Where the page lives; for the canonical link, share images and the sitemap. */
  VITE_SITE_URL: origin.default('http://localhost:3000'),
  /** Where the pages' server answers, when the pages stand elsewhere (CORS_ORIGINS there); empty: at the pages' own origin. */
  VITE_API_ORIGIN: orOff(origin).default(null),
  /** The platform that keeps the records and the accounts. */
  VITE_PARTNER_NAME: text.default('Wayfield Health'),
  /** Host of the partner's portal, where an account is created. */
  VITE_PORTAL_HOST: z
    .string()
    .regex(/^[a-z0-9.-]+(:\d+)?$/i, 'must be a host name like portal.example, without https://')
    .default('portal.example'),
  /** The fixed campaign code in the sign-up link. */
  VITE_INVITATION_CODE: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, - or _')
    .default('SMADRIVE'),
  VITE_PRIVACY_URL: httpsUrl.default('https://portal.example/privacy'),
  VITE_TERMS_URL: httpsUrl.default('https://portal.example/terms'),
  /** For security.txt. */
  VITE_CONTACT_EMAIL: z.email('must be an e-mail address').default('hello@portal.example'),
  /** A YouTube id replaces the site's own film; empty: the own film. */
  VITE_YOUTUBE_ID: orOff(
    z.string().regex(/^[\w-]{11}$/, 'must be the 11 characters of a YouTube id'),
  ).default(null),
  /** Public project key of PostHog; empty: no PostHog. */
  VITE_POSTHOG_KEY: orOff(
    z.string().regex(/^phc_\w+$/, 'must be a PostHog project key, phc_…'),
  ).default(null),
  /** Answers `{ "ip": … }` to a GET; empty: no look-up, and the log's `ip` is null. */
  VITE_IP_LOOKUP_URL: orOff(
    z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }),
  ).default('https://api.ipify.org/?format=json'),
  /** "on" shows the registration form in the page. */
  VITE_REGISTER_FORM: onOff.default(false),
  /** The hero tells how many people pressed the button once there are this many; never a small number. */
  VITE_STATS_THRESHOLD: z.coerce
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .min(100, 'must be 100 or more')
    .default(500),
  /**
   * Facts that a family asks for. The pages leave out what is not set. `npm run golive` lists what is missing, and what the law
   * says about it.
   */
  /** Legal name of the organization that runs the site, and its postal address. */
  VITE_OPERATOR: orOff(text).default(null),
  VITE_OPERATOR_ADDRESS: orOff(text).default(null),
  /** Names of the organizations that pay for the initiative. */
  VITE_FUNDER: orOff(text).default(null),
  /** The ethics committee (IRB) that oversees the initiative, with the number of its approval. */
  VITE_OVERSIGHT: orOff(text).default(null),
  /** For calls, as visitors dial it. */
  VITE_PHONE: orOff(
    z.string().regex(/^\+?[\d ().-]{5,25}$/, 'must be a telephone number like +1 555 010 0199'),
  ).default(null),
  /** Age in years from which a person may join alone. */
  VITE_MIN_AGE: orOff(
    z.coerce
      .number({ error: 'must be a whole number' })
      .int('must be a whole number')
      .min(0)
      .max(99),
  ).default(null),
  /** Whether a parent or guardian may join for a person who cannot join alone; empty: not known. */
  VITE_GUARDIANS: orOff(onOff).default(null),
  /** Country that "nationwide" means, as two letters (ISO 3166-1), such as US. */
  VITE_COUNTRY: orOff(z.string().regex(/^[A-Z]{2}$/, 'must be two letters like US')).default(null),
  /** "free", if joining costs nothing; empty: not known. */
  VITE_COST: orOff(z.enum(['free'], { error: 'must be "free" or empty' })).default(null),
  /** Minutes that creating an account takes, as measured. */
  VITE_SIGN_UP_MINUTES: orOff(
    z.coerce
      .number({ error: 'must be a whole number' })
      .int('must be a whole number')
      .min(1)
      .max(240),
  ).default(null),
  /** The law that the service follows, such as HIPAA, and the person or organization that confirms it. Pages show both or neither. */
  VITE_LAW: orOff(text).default(null),
  VITE_LAW_CONFIRMED_BY: orOff(text).default(null),
  /** The partner's list of hospitals, clinics and labs that can be linked. */
  VITE_CLINICS_URL: orOff(httpsUrl).default(null),
  /** Day on which a person with knowledge of the field last read the texts, and that person's name and role. */
  VITE_REVIEWED_ON: orOff(z.iso.date('must be a day like 2026-01-31')).default(null),
  VITE_REVIEWER: orOff(text).default(null),
  /** Native speaker who has read the Spanish texts. */
  VITE_TRANSLATION_REVIEWER: orOff(text).default(null),
  /** Settings of the server that the page tells visitors about; give both the same. */
  ...PRIVACY_VARIABLES,
});

/** Every variable that the page's build reads. */
export const SITE_VARIABLES = Object.keys(schema.shape);

export type SiteConfig = ReturnType<typeof readSiteConfig>;
/** The configuration that pages and browser code read as `site`. */
export type Site = Omit<SiteConfig, 'facts'>;
/** The facts that pages read as `facts`; null: not set. Browser code does not contain them. */
export type Facts = SiteConfig['facts'];

/**
 * The site's facts out of the defaults above and an environment.
 *
 * @throws one Error that lists every variable at fault
 */
export function readSiteConfig(env: Record<string, string | undefined>) {
  const set = Object.entries(env).filter(([name, value]) => value?.trim() || !isServers(name));
  const parsed = schema.safeParse(Object.fromEntries(set));
  if (!parsed.success) throw new Error(describeErrors(parsed.error));
  const v = parsed.data;
  return {
    productName: v.VITE_PRODUCT_NAME,
    siteUrl: v.VITE_SITE_URL,
    apiOrigin: v.VITE_API_ORIGIN,
    partnerName: v.VITE_PARTNER_NAME,
    portalHost: v.VITE_PORTAL_HOST,
    invitationCode: v.VITE_INVITATION_CODE,
    privacyUrl: v.VITE_PRIVACY_URL,
    termsUrl: v.VITE_TERMS_URL,
    contactEmail: v.VITE_CONTACT_EMAIL,
    youtubeId: v.VITE_YOUTUBE_ID,
    posthogKey: v.VITE_POSTHOG_KEY,
    // An address that is not kept anyway is not asked for.
    ipLookupUrl: v.LOG_IP === 'none' ? null : v.VITE_IP_LOOKUP_URL,
    registerForm: v.VITE_REGISTER_FORM,
    statsThreshold: v.VITE_STATS_THRESHOLD,
    facts: {
      operator: v.VITE_OPERATOR,
      operatorAddress: v.VITE_OPERATOR_ADDRESS,
      funder: v.VITE_FUNDER,
      oversight: v.VITE_OVERSIGHT,
      phone: v.VITE_PHONE,
      minAge: v.VITE_MIN_AGE,
      guardians: v.VITE_GUARDIANS,
      country: v.VITE_COUNTRY,
      cost: v.VITE_COST,
      signUpMinutes: v.VITE_SIGN_UP_MINUTES,
      law: v.VITE_LAW,
      lawConfirmedBy: v.VITE_LAW_CONFIRMED_BY,
      clinicsUrl: v.VITE_CLINICS_URL,
      reviewedOn: v.VITE_REVIEWED_ON,
      reviewer: v.VITE_REVIEWER,
      translationReviewer: v.VITE_TRANSLATION_REVIEWER,
    },
    logIp: v.LOG_IP,
    posthogHost: v.POSTHOG_HOST,
    posthogSendIp: v.POSTHOG_SEND_IP,
    referringDomain: v.REFERRING_DOMAIN,
    clickRetentionDays: v.CLICK_RETENTION_DAYS,
  };
}

/** For the server an empty variable is an unset one. */
const isServers = (name: string) => name in PRIVACY_VARIABLES;

function describeErrors(error: z.ZodError): string {
  const faults = error.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`);
  return `The site's configuration is not valid (see site.config.ts):\n${faults.join('\n')}`;
}
