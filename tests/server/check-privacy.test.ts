import { expect, test } from 'vitest';
import type { Privacy } from '#contract/privacy.schema.ts';
import { checkPrivacy, privacyAdvice } from '../../server/check-privacy.ts';

const EU = 'https://eu.i.posthog.com';
const US = 'https://us.i.posthog.com';
const PAGE: Privacy = {
  logIp: 'truncated',
  posthogHost: EU,
  posthogSendIp: false,
  referringDomain: 'class',
  clickRetentionDays: 30,
};
type Change = Partial<Privacy>;

const check = (page: Change, server: Change) => () =>
  checkPrivacy({ ...PAGE, ...page }, { ...PAGE, ...server, posthogHost: server.posthogHost ?? EU });

test.each<[page: Change, server: Change]>([
  [{}, {}],
  [{}, { logIp: 'none' }],
  [{ logIp: 'full' }, { logIp: 'truncated' }],
  [{ posthogSendIp: true }, {}],
  [{}, { referringDomain: 'none' }],
  [{}, { posthogSendIp: true, logIp: 'none' }],
  [{ posthogHost: null }, { posthogHost: US, posthogSendIp: true }],
  [{}, { posthogHost: 'http://127.0.0.1:9000' }],
  [{}, { posthogHost: 'http://localhost:9000' }],
  [{}, { clickRetentionDays: 29 }],
  [{ clickRetentionDays: 0 }, {}],
])('with a page of %j a server may be %j', (page, server) => {
  expect(check(page, server)).not.toThrow();
});

test.each<[page: Change, server: Change, setting: string]>([
  [{ logIp: 'none' }, { logIp: 'truncated' }, 'LOG_IP'],
  [{ logIp: 'none' }, { logIp: 'full' }, 'LOG_IP'],
  [{}, { logIp: 'full' }, 'LOG_IP'],
  [{}, { posthogHost: US }, 'POSTHOG_HOST'],
  [{ posthogHost: US }, { posthogHost: EU }, 'POSTHOG_HOST'],
  [{}, { posthogHost: 'http://localhost.example' }, 'POSTHOG_HOST'],
  [{}, { posthogSendIp: true }, 'POSTHOG_SEND_IP'],
  [{}, { referringDomain: 'domain' }, 'REFERRING_DOMAIN'],
  [{ referringDomain: 'none' }, { referringDomain: 'class' }, 'REFERRING_DOMAIN'],
  [{}, { clickRetentionDays: 31 }, 'CLICK_RETENTION_DAYS'],
  [{}, { clickRetentionDays: 0 }, 'CLICK_RETENTION_DAYS'],
])('with a page of %j a server may not be %j', (page, server, setting) => {
  expect(check(page, server)).toThrow(new RegExp(`^  ${setting} was .* Build the page again`, 'm'));
});

test('a server that keeps less than the page says is advised to build the page again', () => {
  const server = { ...PAGE, posthogHost: EU };
  expect(privacyAdvice(PAGE, server)).toBeNull();
  expect(privacyAdvice(PAGE, { ...server, logIp: 'none' })).toContain('LOG_IP=truncated');
});
