/** Environment variables of the version before, which are keys of site.json now. */
const FORMER: Record<string, string> = {
  VITE_SITE_URL: 'siteUrl',
  VITE_PORTAL_HOST: 'portalHost',
  VITE_INVITATION_CODE: 'invitationCode',
  VITE_REGISTER_FORM: 'registerForm',
  VITE_POSTHOG_KEY: 'posthogKey',
  POSTHOG_HOST: 'posthogHost',
  VITE_IP_LOOKUP_URL: 'ipLookupUrl',
  LOG_IP: 'logIp',
  REFERRING_DOMAIN: 'referrerDetail',
  CLICK_RETENTION_DAYS: 'clickRetentionDays',
  REGISTRATION_RETENTION_DAYS: 'registrationRetentionDays',
};

/** Returns a sentence for a variable that is a key of site.json now; null for any other one. */
export const describeFormer = (name: string): string | null =>
  Object.hasOwn(FORMER, name) ? `${name} is now ${FORMER[name]} in site.json.` : null;
