/**
 * The public settings of the site, baked into the page when it is built: site.json, or the file that SITE_FILE names, has what
 * is the same on every machine, and variables have the rest. Everything is checked at once: a build with a wrong value stops and
 * names every fault.
 */
import { resolve } from 'node:path';
import type { ReactElement } from 'react';
import { z } from 'zod';
import type { Language } from '#contract/language.ts';
import { CREATE_ACCOUNT_PATH, MAX_INVITATION_CODE } from '#contract/limits.ts';
import { PRIVACY_VARIABLES } from '#contract/privacy.schema.ts';
import { describeFormer } from './site/former-variables.ts';
import { readSiteFile } from './site/read-site-file.ts';
import type { SiteFile } from './site/site-file.schema.ts';

export { describeFormer } from './site/former-variables.ts';

const origin = z
  .string()
  .refine(
    (value) => /^https?:/.test(value) && URL.parse(value)?.origin === value,
    'must be an origin like https://example.org',
  );
const onOff = z
  .enum(['on', 'off'], { error: 'must be "on" or "off"' })
  .transform((value) => value === 'on');
/** An empty variable switches the thing off. */
const orOff = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable());

const schema = z.object({
  /** Where the page lives; for the canonical link, share images and the sitemap. */
  VITE_SITE_URL: origin.default('http://localhost:3000'),
  /** Where the pages' server answers, when the pages stand elsewhere (CORS_ORIGINS there); empty: at the pages' own origin. */
  VITE_API_ORIGIN: orOff(origin).default(null),
  /** Host of the partner's portal, where an account is created. Null: the links open the server's stand-in. */
  VITE_PORTAL_HOST: z
    .string()
    .regex(/^[a-z0-9.-]+(:\d+)?$/i, 'must be a host name like portal.example, without https://')
    .nullable()
    .default(null),
  /** The fixed campaign code in the sign-up link. */
  VITE_INVITATION_CODE: z
    .string()
    .regex(
      new RegExp(`^[\\w-]{1,${MAX_INVITATION_CODE}}$`),
      `must be 1 to ${MAX_INVITATION_CODE} letters, digits, - or _`,
    )
    .default('SMADRIVE'),
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
  /** Settings of the server that the page tells visitors about; give both the same. */
  ...PRIVACY_VARIABLES,
});

/** The file of the settings that are the same on every machine. */
const SITE_FILE = 'SITE_FILE';

/** Every variable that the page's build reads. */
export const SITE_VARIABLES = [...Object.keys(schema.shape), SITE_FILE];

/** For these an empty variable says "none". For all others it is an unset one. */
const MAY_BE_NONE = ['VITE_API_ORIGIN', 'VITE_POSTHOG_KEY', 'VITE_IP_LOOKUP_URL'];

export type SiteConfig = ReturnType<typeof readSiteConfig>;
/** The configuration that pages and browser code read as `site`. */
export type Site = Omit<SiteConfig, 'facts'>;
/** The facts that pages read as `facts`; null: not set. Browser code does not contain them. */
export type FactsByLanguage = SiteConfig['facts'];
/** The same as a page in one language shows them (words/facts-in.ts). */
export type Facts = {
  [Name in keyof FactsByLanguage]: InOneLanguage<FactsByLanguage[Name]>;
};
type InOneLanguage<Fact> =
  Fact extends Record<Language, string | null> ? string | ReactElement : Fact;

/** @returns the absolute path of the site's file. A relative one is below the working directory */
export const siteFileOf = (env: Record<string, string | undefined>): string =>
  resolve(env[SITE_FILE]?.trim() || 'site.json');

/**
 * The site's settings out of its file, an environment and the defaults above.
 *
 * @throws one Error that lists every fault
 */
export function readSiteConfig(env: Record<string, string | undefined>) {
  const set = Object.entries(env).filter(
    ([name, value]) => value?.trim() || MAY_BE_NONE.includes(name),
  );
  const { data: v, error } = schema.safeParse(Object.fromEntries(set));
  const file = siteFileOf(env);
  const { site, faults } = readSiteFile(file);
  const ofVariables = [
    ...(error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`),
    ...describeFormer(env, file),
  ];
  if (site && v?.VITE_PORTAL_HOST) faults.push(...missingLinks(site));
  if (!v || !site || faults.length > 0 || ofVariables.length > 0)
    throw faultOf(`${list('The variables', ofVariables)}${list(file, faults)}`);
  return {
    ...site,
    ...partnerLinks(site, v),
    siteUrl: v.VITE_SITE_URL,
    apiOrigin: v.VITE_API_ORIGIN,
    portalHost: v.VITE_PORTAL_HOST,
    invitationCode: v.VITE_INVITATION_CODE,
    posthogKey: v.VITE_POSTHOG_KEY,
    // An address that is not kept anyway is not asked for.
    ipLookupUrl: v.LOG_IP === 'none' ? null : v.VITE_IP_LOOKUP_URL,
    registerForm: v.VITE_REGISTER_FORM,
    statsThreshold: v.VITE_STATS_THRESHOLD,
    logIp: v.LOG_IP,
    posthogHost: v.POSTHOG_HOST,
    posthogSendIp: v.POSTHOG_SEND_IP,
    referringDomain: v.REFERRING_DOMAIN,
    clickRetentionDays: v.CLICK_RETENTION_DAYS,
  };
}

/** A partner with a portal has a policy and terms, and a stand-in for them would mislead visitors. */
const missingLinks = (site: SiteFile): string[] =>
  (['privacyUrl', 'termsUrl'] as const)
    .filter((key) => site[key] === null)
    .map((key) => `${key} must be set, because VITE_PORTAL_HOST is set`);

/** The links to the partner. Without a portal they open the stand-in on our own server. */
function partnerLinks({ privacyUrl, termsUrl }: SiteFile, v: z.output<typeof schema>) {
  const origin = v.VITE_PORTAL_HOST ? `https://${v.VITE_PORTAL_HOST}` : (v.VITE_API_ORIGIN ?? '');
  const page = `${origin}${CREATE_ACCOUNT_PATH}`;
  return {
    signUpUrl: `${page}?invitation_code=${v.VITE_INVITATION_CODE}`,
    privacyUrl: privacyUrl ?? `${page}?page=privacy`,
    termsUrl: termsUrl ?? `${page}?page=terms`,
  };
}

/** An operator reads it at the end of a build's log, where a stack would hide it. */
function faultOf(lists: string): Error {
  const fault = new Error(`The site's configuration is not valid.${lists}`);
  fault.stack = fault.message;
  return fault;
}

const list = (place: string, faults: string[]): string =>
  faults.length > 0 ? `\n${place}:\n${faults.map((fault) => `  ${fault}`).join('\n')}` : '';
