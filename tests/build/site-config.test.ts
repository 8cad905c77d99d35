import { expect, test } from 'vitest';
import { readSiteConfig, SITE_VARIABLES } from '#site.config.ts';
import { readConfig } from '../../server/config.ts';
import { PARTNER_LINKS } from '../helpers/run/all-facts.ts';
import { siteFile } from '../helpers/run/site-file.ts';

test('needs no variable', () => {
  const site = readSiteConfig({});
  expect(site.registerForm).toBe(false);
  expect(site.posthogKey).toBeNull();
});

test('without a portal, the links to the partner open the stand-in on our own server', () => {
  expect(readSiteConfig({ VITE_PORTAL_HOST: '' })).toMatchObject({
    portalHost: null,
    signUpUrl: '/create-account?invitation_code=SMADRIVE',
    privacyUrl: '/create-account?page=privacy',
    termsUrl: '/create-account?page=terms',
  });
  expect(readSiteConfig({ VITE_API_ORIGIN: 'https://api.example' })).toMatchObject({
    signUpUrl: 'https://api.example/create-account?invitation_code=SMADRIVE',
    privacyUrl: 'https://api.example/create-account?page=privacy',
  });
});

test('a portal needs the addresses of its policy and its terms', () => {
  const { SITE_FILE } = siteFile({ termsUrl: null, privacyUrl: null });
  const env = { VITE_PORTAL_HOST: 'portal.example', SITE_FILE };
  const fault = (key: string) => `\n  ${key} must be set, because VITE_PORTAL_HOST is set`;
  expect(() => readSiteConfig(env)).toThrow(fault('privacyUrl') + fault('termsUrl'));
});

test('reads what differs per machine from variables, at most nine of their own', () => {
  expect(SITE_VARIABLES.filter((name) => name.startsWith('VITE_')).length).toBeLessThanOrEqual(9);
  const site = readSiteConfig({
    VITE_SITE_URL: 'https://road.example',
    VITE_PORTAL_HOST: 'portal.road.example:8443',
    ...siteFile(PARTNER_LINKS),
    VITE_INVITATION_CODE: 'ROAD',
    VITE_REGISTER_FORM: 'on',
    VITE_IP_LOOKUP_URL: '',
    VITE_STATS_THRESHOLD: '2500',
  });
  expect(site).toMatchObject({
    siteUrl: 'https://road.example',
    portalHost: 'portal.road.example:8443',
    signUpUrl: 'https://portal.road.example:8443/create-account?invitation_code=ROAD',
    ...PARTNER_LINKS,
    invitationCode: 'ROAD',
    registerForm: true,
    ipLookupUrl: null,
    statsThreshold: 2500,
  });
});

test('reads the server’s privacy settings under the server’s own names', () => {
  expect(readSiteConfig({ LOG_IP: '', POSTHOG_HOST: ' ' })).toMatchObject({
    logIp: 'full',
    posthogHost: 'https://us.i.posthog.com',
    posthogSendIp: false,
    referringDomain: 'class',
  });
  const set = {
    LOG_IP: 'truncated',
    POSTHOG_HOST: 'https://eu.i.posthog.com/',
    POSTHOG_SEND_IP: 'on',
  };
  const { logIp, posthogHost, posthogSendIp } = readSiteConfig(set);
  expect({ logIp, posthogHost, posthogSendIp }).toEqual({
    logIp: 'truncated',
    posthogHost: 'https://eu.i.posthog.com',
    posthogSendIp: true,
  });
  expect(readConfig(set)).toMatchObject({ logIp, posthogHost, posthogSendIp });
  expect(() => readSiteConfig({ LOG_IP: 'some' })).toThrow(
    'LOG_IP must be full, truncated or none',
  );
});

test('takes an empty variable as none, where none is a choice, and as unset elsewhere', () => {
  const names = SITE_VARIABLES.filter((name) => name !== 'VITE_IP_LOOKUP_URL');
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  expect(readSiteConfig(empty)).toEqual(readSiteConfig({}));
  expect(readSiteConfig({ VITE_IP_LOOKUP_URL: '' }).ipLookupUrl).toBeNull();
});

test('has no IP look-up if the address is not kept', () => {
  expect(readSiteConfig({ LOG_IP: 'none' }).ipLookupUrl).toBeNull();
  expect(readSiteConfig({ LOG_IP: 'truncated' }).ipLookupUrl).not.toBeNull();
});

test('names every wrong variable at once, with the right form', () => {
  const read = () =>
    readSiteConfig({
      VITE_SITE_URL: 'site.example',
      VITE_API_ORIGIN: 'https://api.example/path',
      VITE_PORTAL_HOST: 'https://portal.example',
      VITE_POSTHOG_KEY: 'secret',
      VITE_STATS_THRESHOLD: '3',
      VITE_REGISTER_FORM: 'yes',
    });
  expect(read).toThrowErrorMatchingInlineSnapshot(`
    [Error: The site's configuration is not valid.
    The variables:
      VITE_SITE_URL must be an origin like https://example.org
      VITE_API_ORIGIN must be an origin like https://example.org
      VITE_PORTAL_HOST must be a host name like portal.example, without https://
      VITE_POSTHOG_KEY must be a PostHog project key, phc_…
      VITE_REGISTER_FORM must be "on" or "off"
      VITE_STATS_THRESHOLD must be 100 or more]
  `);
});
