import { expect, test } from 'vitest';
import { readSiteConfig, SITE_VARIABLES } from '#site.config.ts';
import { readConfig } from '../../server/config.ts';

test('needs no variable', () => {
  const site = readSiteConfig({});
  expect(site.registerForm).toBe(false);
  expect(site.posthogKey).toBeNull();
  expect(site.portalHost).not.toBe('');
});

test('reads what differs per machine from variables, at most nine of their own', () => {
  expect(SITE_VARIABLES.filter((name) => name.startsWith('VITE_')).length).toBeLessThanOrEqual(9);
  const site = readSiteConfig({
    VITE_SITE_URL: 'https://road.example',
    VITE_PORTAL_HOST: 'portal.road.example:8443',
    VITE_INVITATION_CODE: 'ROAD',
    VITE_REGISTER_FORM: 'on',
    VITE_IP_LOOKUP_URL: '',
    VITE_STATS_THRESHOLD: '2500',
  });
  expect(site).toMatchObject({
    siteUrl: 'https://road.example',
    portalHost: 'portal.road.example:8443',
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
