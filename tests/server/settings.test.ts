/** The environment variables, and what an operator reads about faults in them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings, VARIABLES } from '../../server/settings.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';

const KEYS = `2026a:${Buffer.alloc(32, 7).toString('base64')}`;

function secretFile(text: string): string {
  const file = join(makeDataDir(), 'secret');
  writeFileSync(file, text);
  return file;
}

function faultOf(env: Record<string, string>): string {
  try {
    readSettings(env);
  } catch (cause) {
    return (cause as Error).message;
  }
  return 'no fault';
}

test('needs no variable, and takes an empty one as unset', () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    port: 3000,
    host: 'localhost',
    dataDir: resolve('data'),
    databaseUrls: [],
    trustProxy: false,
    adminPassword: null,
    rateLimit: { clicks: 600, register: 20, events: 1200, other: 3000 },
    logLevel: 'info',
  });
  expect(readSettings(Object.fromEntries(VARIABLES.map((name) => [name, ' '])))).toEqual(settings);
});

test('.env.example names every variable, with its default', () => {
  const example = readFileSync('.env.example', 'utf8');
  const values = Object.fromEntries(
    [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', text = '']) => [name, text]),
  );
  const names = VARIABLES.filter((name) => !name.endsWith('_FILE'));
  expect(Object.keys(values).sort()).toEqual(names.sort());
  expect(names).toHaveLength(14);
  expect(readSettings(values)).toEqual(readSettings({}));
});

test('one limit sets all others, and 0 lifts them', () => {
  const limitsOf = (RATE_LIMIT: string) => readSettings({ RATE_LIMIT }).rateLimit;
  expect(limitsOf('60')).toEqual({ clicks: 60, register: 2, events: 120, other: 300 });
  expect(limitsOf('0')).toEqual({ clicks: 0, register: 0, events: 0, other: 0 });
});

test('reads lists', () => {
  const settings = readSettings({
    DATABASE_URL: 'postgres://a.example/site, postgresql://b.example/site',
    REGISTRATION_KEYS: KEYS,
    SMTP_URL: 'smtp://mail.example',
    REPORT_MAIL_TO: 'growth@site.example, team@site.example',
  });
  expect(settings.databaseUrls.map(({ host }) => host)).toEqual(['a.example', 'b.example']);
  expect(settings.registrationKeys?.map(({ id }) => id)).toEqual(['2026a']);
  expect(settings.reportMailTo).toEqual(['growth@site.example', 'team@site.example']);
});

test.each([
  ['1', 1],
  ['10.0.0.1, 192.168.0.0/16,loopback', ['10.0.0.1', '192.168.0.0/16', 'loopback']],
  ['2001:db8::/32', ['2001:db8::/32']],
])('proxies may be %s', (TRUST_PROXY, expected) => {
  expect(readSettings({ TRUST_PROXY }).trustProxy).toEqual(expected);
});

test.each(['true', '*', '0', '99', '0.0.0.0/0', '10.0.0.1/33', 'proxy.example', '1.2.3.4/5/6'])(
  'proxies may not be %s',
  (TRUST_PROXY) => {
    expect(faultOf({ TRUST_PROXY })).toContain('\n  TRUST_PROXY must be');
  },
);

test('a file may have a secret', () => {
  const settings = readSettings({
    ADMIN_PASSWORD_FILE: secretFile('correct horse\n'),
    DATABASE_URL_FILE: secretFile('postgres://site:hunter2@db.example/site\n'),
    REGISTRATION_KEYS_FILE: secretFile(`${KEYS}\n`),
  });
  expect(settings.adminPassword).toBe('correct horse');
  expect(settings.databaseUrls[0]?.password).toBe('hunter2');
  expect(settings.registrationKeys).toHaveLength(1);
});

test('names every fault at once, and repeats no secret', () => {
  const wrong = {
    PORT: '99999',
    HOST: 'a b',
    DATABASE_URL: 'postgres://a.example/site,mysql://user:hunter2@db.example/site',
    TRUST_PROXY: 'true',
    ADMIN_PASSWORD: 'hunter2',
    ADMIN_PASSWORD_FILE: secretFile(''),
    RATE_LIMIT: '1e3',
    SMTP_URL: 'https://user:hunter2@mail.example',
    SMTP_URL_FILE: '/no/such/file',
    MAIL_FROM: 'hello',
    REPORT_MAIL_TO: 'growth@site.example,',
    POSTHOG_PROJECT_ID: '0',
    POSTHOG_PERSONAL_KEY: 'phc_hunter2',
    LOG_LEVEL: 'loud',
  };
  expect(faultOf(wrong)).toMatchInlineSnapshot(`
    "The server's environment is not valid (see .env.example):
      ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set: remove one
      ADMIN_PASSWORD_FILE names an empty file
      SMTP_URL and SMTP_URL_FILE are both set: remove one
      SMTP_URL_FILE cannot be read: ENOENT: no such file or directory, open '/no/such/file'
      PORT must be a whole number from 0 to 65535
      HOST must be a host name or an address, like 0.0.0.0
      DATABASE_URL must be URLs like postgres://user:password@host/database, separated by commas
      TRUST_PROXY must be the number of proxies (1 to 9) or addresses like 10.0.0.1,192.168.0.0/16
      RATE_LIMIT must be a whole number from 0 to 1000000000
      SMTP_URL must be an SMTP URL, like smtps://user:password@mail.example
      MAIL_FROM must be an e-mail address
      REPORT_MAIL_TO must be e-mail addresses, separated by commas
      POSTHOG_PROJECT_ID must be a whole number from 1 to 2147483647
      POSTHOG_PERSONAL_KEY must be a personal API key (phx_…), not phc_…
      LOG_LEVEL must be debug, info, warn, error or silent
      REGISTRATION_KEYS must be set with DATABASE_URL: servers that share registrations share their keys"
  `);
});
