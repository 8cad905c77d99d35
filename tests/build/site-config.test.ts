import { expect, test } from 'vitest';
import { readSiteConfig } from '#site.config.ts';
import { readConfig } from '../../server/config.ts';

test('needs no variable', () => {
  const site = readSiteConfig({});
  expect(site.registerForm).toBe(false);
  expect(site.posthogKey).toBeNull();
  expect(site.portalHost).not.toBe('');
});

test('reads every fact from its variable', () => {
  const site = readSiteConfig({
    VITE_PRODUCT_NAME: 'Another Drive',
    VITE_REGISTER_FORM: 'on',
    VITE_IP_LOOKUP_URL: '',
    VITE_STATS_THRESHOLD: '2500',
  });
  expect(site).toMatchObject({
    productName: 'Another Drive',
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

test('has no IP look-up if the address is not kept', () => {
  expect(readSiteConfig({ LOG_IP: 'none' }).ipLookupUrl).toBeNull();
  expect(readSiteConfig({ LOG_IP: 'truncated' }).ipLookupUrl).not.toBeNull();
});

test('names every wrong variable at once, with the right form', () => {
  const read = () =>
    readSiteConfig({
      VITE_PORTAL_HOST: 'https://portal.example',
      VITE_POSTHOG_KEY: 'secret',
      VITE_STATS_THRESHOLD: '3',
      VITE_REGISTER_FORM: 'yes',
      VITE_TERMS_URL: 'http://portal.example/terms',
    });
  expect(read).toThrowErrorMatchingInlineSnapshot(`
    [Error: The site's configuration is not valid (see site.config.ts):
      VITE_PORTAL_HOST must be a host name like portal.example, without https://
      VITE_TERMS_URL must be an https:// URL
      VITE_POSTHOG_KEY must be a PostHog project key, phc_…
      VITE_REGISTER_FORM must be "on" or "off"
      VITE_STATS_THRESHOLD must be 100 or more]
  `);
});
